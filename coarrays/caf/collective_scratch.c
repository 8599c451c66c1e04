#include "collective_scratch.h"

#include <stdatomic.h>

#include "collective_internal.h"
#include "control.h"
#include "error.h"
#include "segments.h"
#include "team.h"
#include "wait.h"

/* A chunk is long beside what telling of it costs, the way of a cache line there and back; a ring
 * of buffers, which the second cache holds, lets each image be some chunks ahead of the others. */
enum { BUFFERS = 8, BUFFER_BYTES = 64 * 1024, LINE = 64 };

/* Turns between two looks at whether somebody has stopped. */
enum { STATE_TURNS = 64 };

struct part {
    _Alignas(LINE) _Atomic uint64_t done[SCRATCH_STEPS];
    _Alignas(LINE) char buffers[];
};

/* That of the current team. */
#define scratch (current_team->scratch)

static size_t part_bytes(void)
{
    return sizeof(struct part) + BUFFERS * scratch.buffer_bytes;
}

static struct part *part_of(int image)
{
    int place = runtime.place_of[current_team->member[image]];
    char *part = scratch.segment->shared.part[place];
    return (struct part *)(part + scratch.offset);
}

/* Somebody who stopped during an earlier collective, or after it, will not come to this one; who
 * has failed may have left it anywhere. */
static enum dm_status check_stopped(void)
{
    for (int i = 1; i <= current_team->images; i++) {
        enum image_state state = image_state(current_team->member[i]);
        if (state == IMAGE_FAILED ||
            (state == IMAGE_STOPPED && atomic_load_explicit(&part_of(i)->done[SCRATCH_GIVEN],
                                                            memory_order_acquire) < scratch.first))
            return collective_stopped();
    }
    return DM_OK;
}

/* All images come here in the same collective, because all count the same elements. After sync all
 * nobody uses the old memory any more, and nobody can stop before the new one is there. */
static enum dm_status make_room(size_t element_bytes)
{
    enum dm_status status = collective_come_together();
    if (status == DM_OK && scratch.segment)
        status = segments_give(scratch.segment, part_bytes(), scratch.offset);
    if (status != DM_OK)
        return status;
    size_t bytes = element_bytes < BUFFER_BYTES ? BUFFER_BYTES : element_bytes;
    scratch.buffer_bytes = (bytes + LINE - 1) / LINE * LINE;
    scratch.first = 1;
    scratch.segment = NULL;
    return segments_take(part_bytes(), SHARED_ANYWHERE, &scratch.segment, &scratch.offset);
}

enum dm_status scratch_begin(size_t element_bytes, size_t *chunk_bytes, uint64_t *first)
{
    enum dm_status status = DM_OK;
    if (scratch.failed != DM_OK)
        return dm_fail(scratch.failed, "%s: an earlier collective of this image did not end",
                       caf_statement);
    if (!scratch.segment || element_bytes > scratch.buffer_bytes)
        status = make_room(element_bytes);
    if (status == DM_OK)
        status = check_stopped();
    *chunk_bytes = element_bytes > BUFFER_BYTES ? element_bytes : BUFFER_BYTES;
    *first = scratch.first;
    return status;
}

enum dm_status scratch_end(enum dm_status status, uint64_t chunks)
{
    /* Who stopped is found again by every later collective. */
    scratch.failed = status == DM_LOST ? DM_OK : status;
    scratch.first += chunks;
    return status;
}

char *scratch_buffer(int image, uint64_t chunk)
{
    return part_of(image)->buffers + chunk % BUFFERS * scratch.buffer_bytes;
}

void scratch_done(enum scratch_step step, uint64_t chunk)
{
    atomic_store_explicit(&part_of(current_team->index)->done[step], chunk, memory_order_release);
}

enum dm_status scratch_wait(int image, enum scratch_step step, uint64_t chunk)
{
    const _Atomic uint64_t *done = &part_of(image)->done[step];
    if (atomic_load_explicit(done, memory_order_acquire) >= chunk)
        return DM_OK;
    struct wait wait = wait_start(caf_statement);
    for (int turn = 1; atomic_load_explicit(done, memory_order_acquire) < chunk; turn++) {
        enum dm_status status = wait_turn(&wait);
        if (status == DM_OK && turn % STATE_TURNS == 0)
            status = check_stopped();
        if (status != DM_OK)
            return status;
    }
    return DM_OK;
}

enum dm_status scratch_wait_all(enum scratch_step step, uint64_t chunk)
{
    for (int image = 1; image <= current_team->images; image++) {
        TRY(scratch_wait(image, step, chunk));
    }
    return DM_OK;
}

enum dm_status scratch_wait_buffer(uint64_t chunk)
{
    return chunk > BUFFERS ? scratch_wait_all(SCRATCH_TAKEN, chunk - BUFFERS) : DM_OK;
}
