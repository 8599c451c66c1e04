/* launch_place.c: accessed elements of an argument as bytes of its buffer. */
#include "launch_place.h"

#include <stdio.h>

bool launch_refuse(struct launch *launch, const char *why, const char *argument)
{
    snprintf(launch->one_device, sizeof launch->one_device, why, argument);
    return false;
}

bool launch_no_memory(struct launch *launch)
{
    return launch_refuse(launch, "there is no memory on the host", "");
}

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
                          const struct intervals *placed)
{
    int64_t bytes = (int64_t)buffer->bytes;
    for (size_t i = 0; i < placed->count; i++) {
        const struct index_range *run = &placed->items[i];
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
static bool place_reads(const struct virtual_gpu *gpu, struct launch *launch,
                        const struct database_argument *known, const struct buffer *buffer,
                        const struct intervals *elements, int64_t offset, struct intervals *out)
{
    struct index_range all = {0, (int64_t)buffer->bytes};
    const struct intervals whole = {&all, 1, 1};
    struct intervals placed = {0};
    bool done = (intervals_scale(&placed, elements, known->element_bits / 8, offset) &&
                 intervals_intersect(out, &placed, &whole)) ||
                launch_no_memory(launch);
    if (done && reads_another(gpu, buffer, &placed))
        done = launch_refuse(launch, "it reads another buffer than that of argument %.40s",
                             known->name);
    intervals_free(&placed);
    return done;
}

void launch_free_placed(struct placed *placed)
{
    for (int d = 0; d < PARTITION_MAX_DEVICES; d++) {
        intervals_free(&placed->reads[d]);
        intervals_free(&placed->writes[d]);
    }
}

static bool place_device(const struct virtual_gpu *gpu, struct launch *launch,
                         const struct access_set *set, size_t argument, const struct buffer *buffer,
                         int64_t offset, int device, struct placed *placed)
{
    const struct argument_access *access = &set->arguments[argument];
    const struct database_argument *known = &launch->function->kernel->arguments[argument];
    int64_t bytes = (int64_t)buffer->bytes, scale = known->element_bits / 8;
    struct intervals *reads = &placed->reads[device], *writes = &placed->writes[device];
    bool done = true;
    if (grid_part_is_empty(&set->parts[device]))
        return true;
    if (access->read == ACCESS_WHOLE)
        done = intervals_push(reads, 0, bytes) || launch_no_memory(launch);
    else if (access->read == ACCESS_SET)
        done = place_reads(gpu, launch, known, buffer, &access->reads[device], offset, reads);
    if (done && access->write == ACCESS_SET)
        done = intervals_scale(writes, &access->writes[device], scale, offset) ||
               launch_no_memory(launch);
    if (!done)
        return false;
    if (writes->count &&
        (writes->items[0].begin < 0 || writes->items[writes->count - 1].end > bytes))
        return launch_refuse(launch, "it would write outside of the buffer of argument %.40s",
                             known->name);
    return true;
}

bool launch_place(const struct virtual_gpu *gpu, struct launch *launch,
                  const struct access_set *set, size_t argument, const struct buffer *buffer,
                  int64_t offset, struct placed *placed)
{
    bool done = true;
    for (int d = 0; d < gpu->devices && done; d++)
        done = place_device(gpu, launch, set, argument, buffer, offset, d, placed);
    return done;
}
