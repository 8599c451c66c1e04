/* Collectives of images that share memory: those of the current team, named by their indices in it.
 *
 * A broadcast: the source gives a chunk, the others take it, while the source gives the next.
 *
 * A reduction of n images: each gives its chunk; image i reduces slice i, an n-th of it, over all
 * images; then each takes all slices. So every image adds as much as any other. A short one is
 * reduced as a whole by every image that wants the result, which saves a step. The order is that of
 * the images: x1 + (x2 + (x3 + x4)). */
#include <stdbool.h>
#include <string.h>

#include "collective_internal.h"
#include "collective_scratch.h"
#include "error.h"
#include "team.h"

/* Bytes that an image reads at most to reduce all alone. */
enum { SHORT_BYTES = 16 * 1024 };

static uint64_t chunks_of(size_t count, size_t per_chunk)
{
    return count > 0 ? (count - 1) / per_chunk + 1 : 1;
}

/* ---- broadcast ---- */

static enum dm_status give(const char *data, size_t bytes, uint64_t chunk)
{
    TRY(scratch_wait_buffer(chunk));
    if (bytes > 0)
        memcpy(scratch_buffer(current_team->index, chunk), data, bytes);
    scratch_done(SCRATCH_GIVEN, chunk);
    scratch_done(SCRATCH_TAKEN, chunk);
    return DM_OK;
}

static enum dm_status take(char *data, size_t bytes, uint64_t chunk, int source_image)
{
    TRY(scratch_wait(source_image, SCRATCH_GIVEN, chunk));
    if (bytes > 0)
        memcpy(data, scratch_buffer(source_image, chunk), bytes);
    scratch_done(SCRATCH_TAKEN, chunk);
    return DM_OK;
}

enum dm_status near_broadcast(char *data, size_t bytes, int source_image)
{
    size_t chunk_bytes;
    uint64_t first;
    enum dm_status status = scratch_begin(1, &chunk_bytes, &first);
    if (status != DM_OK)
        return status;
    uint64_t chunks = chunks_of(bytes, chunk_bytes);
    if (current_team->index != source_image)
        scratch_done(SCRATCH_GIVEN, first + chunks - 1);
    for (uint64_t i = 0; status == DM_OK && i < chunks; i++) {
        size_t begin = i * chunk_bytes;
        size_t length = bytes - begin < chunk_bytes ? bytes - begin : chunk_bytes;
        status = current_team->index == source_image
                     ? give(data + begin, length, first + i)
                     : take(data + begin, length, first + i, source_image);
    }
    return scratch_end(status, chunks);
}

/* ---- reduction ---- */

struct chunk {
    const struct reduction *reduction;
    bool wanted; /* this image gets the result */
    uint64_t number;
    char *data;
    size_t count; /* elements */
};

/* Byte at which an image's slice begins; that of the image after the last is the end. */
static size_t slice_begin(const struct chunk *chunk, int image)
{
    return chunk->count * (size_t)(image - 1) / (size_t)current_team->images *
           chunk->reduction->element_bytes;
}

/* Copies bytes begin to end of the own data into the own buffer. */
static void give_range(const struct chunk *chunk, size_t begin, size_t end)
{
    if (end > begin)
        memcpy(scratch_buffer(current_team->index, chunk->number) + begin, chunk->data + begin,
               end - begin);
}

static enum dm_status give_whole(const struct chunk *chunk)
{
    TRY(scratch_wait_buffer(chunk->number));
    give_range(chunk, 0, chunk->count * chunk->reduction->element_bytes);
    scratch_done(SCRATCH_GIVEN, chunk->number);
    return DM_OK;
}

/* All but the own slice, which nobody else reads. */
static enum dm_status give_slices(const struct chunk *chunk)
{
    TRY(scratch_wait_buffer(chunk->number));
    give_range(chunk, 0, slice_begin(chunk, current_team->index));
    give_range(chunk, slice_begin(chunk, current_team->index + 1),
               slice_begin(chunk, current_team->images + 1));
    scratch_done(SCRATCH_GIVEN, chunk->number);
    return DM_OK;
}

static enum dm_status reduce_whole(const struct chunk *chunk)
{
    const struct reduction *reduction = chunk->reduction;
    int last = current_team->images;
    TRY(scratch_wait_all(SCRATCH_GIVEN, chunk->number));
    if (current_team->index != last && chunk->count > 0)
        memcpy(chunk->data, scratch_buffer(last, chunk->number),
               chunk->count * reduction->element_bytes);
    for (int image = last - 1; image >= 1; image--)
        reduction->combine(scratch_buffer(image, chunk->number), chunk->data, chunk->count,
                           reduction->context);
    return DM_OK;
}

/* In the last image's buffer, over what it gave: nobody else needs that, and it is the right
 * operand of all. The last image has not given its own slice: it reduces in its data and adds the
 * result. */
static enum dm_status reduce_slice(const struct chunk *chunk)
{
    const struct reduction *reduction = chunk->reduction;
    int last = current_team->images;
    size_t begin = slice_begin(chunk, current_team->index);
    size_t bytes = slice_begin(chunk, current_team->index + 1) - begin;
    char *own = chunk->data + begin, *shared = scratch_buffer(last, chunk->number) + begin;
    char *result = current_team->index == last ? own : shared;
    TRY(scratch_wait_all(SCRATCH_GIVEN, chunk->number));
    for (int image = last - 1; image >= 1; image--)
        reduction->combine(
            image == current_team->index ? own : scratch_buffer(image, chunk->number) + begin,
            result, bytes / reduction->element_bytes, reduction->context);
    memcpy(current_team->index == last ? shared : own, result, bytes);
    scratch_done(SCRATCH_REDUCED, chunk->number);
    return DM_OK;
}

/* Begins after the own slice, so that not all read the same one at a time. */
static enum dm_status take_slices(const struct chunk *chunk)
{
    const char *results = scratch_buffer(current_team->images, chunk->number);
    for (int i = 1; i < current_team->images; i++) {
        int image = (current_team->index - 1 + i) % current_team->images + 1;
        size_t begin = slice_begin(chunk, image);
        TRY(scratch_wait(image, SCRATCH_REDUCED, chunk->number));
        memcpy(chunk->data + begin, results + begin, slice_begin(chunk, image + 1) - begin);
    }
    return DM_OK;
}

static enum dm_status reduce_chunk(const struct chunk *chunk, bool is_short)
{
    enum dm_status status = DM_OK;
    if (!is_short)
        status = reduce_slice(chunk);
    if (status == DM_OK && chunk->wanted)
        status = is_short ? reduce_whole(chunk) : take_slices(chunk);
    if (status == DM_OK)
        scratch_done(SCRATCH_TAKEN, chunk->number);
    return status;
}

static struct chunk chunk_at(const struct reduction *reduction, uint64_t index, size_t per_chunk,
                             uint64_t first)
{
    size_t begin = index * per_chunk, left = reduction->count - begin;
    return (struct chunk){.reduction = reduction,
                          .wanted = reduction->result_image == 0 ||
                                    reduction->result_image == current_team->index,
                          .number = first + index,
                          .data = reduction->data + begin * reduction->element_bytes,
                          .count = left < per_chunk ? left : per_chunk};
}

enum dm_status near_reduce(const struct reduction *reduction)
{
    size_t chunk_bytes;
    uint64_t first;
    TRY(scratch_begin(reduction->element_bytes, &chunk_bytes, &first));
    size_t per_chunk = chunk_bytes / reduction->element_bytes;
    uint64_t chunks = chunks_of(reduction->count, per_chunk);
    bool is_short =
        chunks == 1 &&
        reduction->count * reduction->element_bytes * (size_t)current_team->images <= SHORT_BYTES;
    struct chunk next = chunk_at(reduction, 0, per_chunk, first);
    enum dm_status status = is_short ? give_whole(&next) : give_slices(&next);
    for (uint64_t i = 0; status == DM_OK && i < chunks; i++) {
        struct chunk chunk = next;
        /* One chunk ahead, so that nobody waits for it. */
        if (i + 1 < chunks) {
            next = chunk_at(reduction, i + 1, per_chunk, first);
            status = give_slices(&next);
        }
        if (status == DM_OK)
            status = reduce_chunk(&chunk, is_short);
    }
    return scratch_end(status, chunks);
}
