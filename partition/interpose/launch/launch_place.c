/* launch_place.c: accessed elements of an argument as bytes of its buffer. */
#include "launch_place.h"

#include "common/error.h"
#include "partition/intervals.h"

/* Whether some bytes of the range, counted from where `buffer` begins, are in another buffer. */
static bool reaches_another(const struct virtual_gpu *gpu, const struct buffer *buffer,
                            int64_t begin, int64_t end)
{
    for (size_t i = 0; i < gpu->buffer_count; i++) {
        const struct buffer *other = gpu->buffers[i];
        int64_t from = (int64_t)(other->address[0] - buffer->address[0]);
        if (other != buffer && from < end && begin < from + (int64_t)other->bytes)
            return true;
    }
    return false;
}

/* Whether a read outside of the buffer is one of another buffer: a program may take a pointer
 * before the begin of its array. */
static bool reads_another(const struct virtual_gpu *gpu, const struct buffer *buffer,
                          const struct partition_intervals *placed)
{
    int64_t bytes = (int64_t)buffer->bytes;
    for (size_t i = 0; i < placed->count; i++) {
        const struct partition_range *run = &placed->items[i];
        if ((run->begin < 0 &&
             reaches_another(gpu, buffer, run->begin, run->end < 0 ? run->end : 0)) ||
            (run->end > bytes &&
             reaches_another(gpu, buffer, run->begin > bytes ? run->begin : bytes, run->end)))
            return true;
    }
    return false;
}

/* Elements of the argument to bytes of its buffer. What is read outside of any buffer has no value
 * that a program can use. */
static enum dm_status place_reads(const struct virtual_gpu *gpu,
                                  const struct partition_argument *known,
                                  const struct buffer *buffer,
                                  const struct partition_intervals *elements, int64_t offset,
                                  struct partition_intervals *out)
{
    struct partition_range all = {0, (int64_t)buffer->bytes};
    const struct partition_intervals whole = {&all, 1, 1};
    struct partition_intervals placed = {0};
    enum dm_status status = intervals_scale(&placed, elements, known->element_bits / 8, offset);
    if (status == DM_OK)
        status = intervals_intersect(out, &placed, &whole);
    if (status == DM_OK && reads_another(gpu, buffer, &placed))
        status = dm_fail(DM_UNAVAILABLE, "it reads another buffer than that of argument %.40s",
                         known->name);
    partition_intervals_free(&placed);
    return status;
}

void launch_free_placed(struct placed *placed)
{
    for (int d = 0; d < PARTITION_MAX_DEVICES; d++) {
        partition_intervals_free(&placed->reads[d]);
        partition_intervals_free(&placed->writes[d]);
    }
}

static enum dm_status place_device(const struct virtual_gpu *gpu, const struct launch *launch,
                                   const struct access_set *set, size_t argument,
                                   const struct buffer *buffer, int64_t offset, int device,
                                   struct placed *placed)
{
    const struct argument_access *access = &set->arguments[argument];
    const struct partition_argument *known = &launch->kernel->arguments[argument];
    int64_t bytes = (int64_t)buffer->bytes, scale = known->element_bits / 8;
    struct partition_intervals *reads = &placed->reads[device], *writes = &placed->writes[device];
    if (partition_part_is_empty(&set->parts[device]))
        return DM_OK;
    if (access->read == PARTITION_WHOLE)
        TRY(partition_intervals_push(reads, 0, bytes));
    else if (access->read == PARTITION_ELEMENTS)
        TRY(place_reads(gpu, known, buffer, &access->reads[device], offset, reads));
    if (access->write == PARTITION_ELEMENTS)
        TRY(intervals_scale(writes, &access->writes[device], scale, offset));
    if (writes->count &&
        (writes->items[0].begin < 0 || writes->items[writes->count - 1].end > bytes))
        return dm_fail(DM_UNAVAILABLE, "it would write outside of the buffer of argument %.40s",
                       known->name);
    return DM_OK;
}

enum dm_status launch_place(const struct virtual_gpu *gpu, const struct launch *launch,
                            const struct access_set *set, size_t argument,
                            const struct buffer *buffer, int64_t offset, struct placed *placed)
{
    for (int d = 0; d < gpu->devices; d++)
        TRY(place_device(gpu, launch, set, argument, buffer, offset, d, placed));
    return DM_OK;
}
