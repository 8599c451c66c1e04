#include "collective_scratch.h"

#include <stdatomic.h>

#include "collective.h"
#include "collective_internal.h"
#include "control.h"
#include "error.h"
#include "segments.h"
#include "wait.h"

enum { BUFFERS = 2, BUFFER_BYTES = 64 * 1024, LINE = 64 };

/* Bytes of a chunk for each image. Few images take small chunks, which stay in the first cache on
 * their way; with many, what a chunk costs besides its bytes grows with their number. */
enum { SHARE_BYTES = 2 * 1024 };

/* Turns between two looks at whether somebody has stopped. */
enum { STATE_TURNS = 64 };

struct part {
    _Alignas(LINE) _Atomic uint64_t done[SCRATCH_STEPS];
    _Alignas(LINE) char buffers[];
};

static struct {
    struct segment *segment; /* NULL: none yet */
    size_t offset, buffer_bytes;
    uint64_t first; /* number of the first chunk of the collective that runs, or of the next */
    int failed;     /* code of a collective that this image left unfinished */
} scratch;

void collective_start(void)
{
    scratch.segment = NULL;
    scratch.failed = CAF_OK;
}

static size_t part_bytes(void)
{
    return sizeof(struct part) + BUFFERS * scratch.buffer_bytes;
}

static struct part *part_of(int image)
{
    char *part = scratch.segment->shared.part[runtime.place_of[image]];
    return (struct part *)(part + scratch.offset);
}

/* Somebody who stopped during an earlier collective, or after it, will not come to this one. */
static int check_stopped(void)
{
    for (int image = 1; image <= runtime.images; image++)
        if (image_state(image) != IMAGE_RUNNING &&
            atomic_load_explicit(&part_of(image)->done[SCRATCH_GIVEN], memory_order_acquire) <
                scratch.first)
            return collective_stopped(image);
    return CAF_OK;
}

/* All images come here in the same collective, because all count the same elements. After sync all
 * nobody uses the old memory any more, and nobody can stop before the new one is there. */
static int make_room(size_t element_bytes)
{
    int code = collective_come_together();
    if (!code && scratch.segment)
        code = segments_give(scratch.segment, part_bytes(), scratch.offset);
    if (code)
        return code;
    size_t bytes = element_bytes < BUFFER_BYTES ? BUFFER_BYTES : element_bytes;
    scratch.buffer_bytes = (bytes + LINE - 1) / LINE * LINE;
    scratch.first = 1;
    scratch.segment = NULL;
    return segments_take(part_bytes(), &scratch.segment, &scratch.offset);
}

int scratch_begin(size_t element_bytes, size_t *chunk_bytes, uint64_t *first)
{
    int code = CAF_OK;
    if (scratch.failed)
        return caf_error((enum caf_code)scratch.failed,
                         "%s: an earlier collective of this image did not end", caf_statement);
    if (!scratch.segment || element_bytes > scratch.buffer_bytes)
        code = make_room(element_bytes);
    if (!code)
        code = check_stopped();
    *chunk_bytes = SHARE_BYTES * (size_t)runtime.images;
    /* Images that share cores should do as much as they can before it is another one's turn. */
    if (*chunk_bytes > BUFFER_BYTES || runtime.crowded)
        *chunk_bytes = BUFFER_BYTES;
    if (*chunk_bytes < element_bytes)
        *chunk_bytes = element_bytes;
    *first = scratch.first;
    return code;
}

int scratch_end(int code, uint64_t chunks)
{
    /* Who stopped is found again by every later collective. */
    scratch.failed = code == CAF_STOPPED_IMAGE ? CAF_OK : code;
    scratch.first += chunks;
    return code;
}

char *scratch_buffer(int image, uint64_t chunk)
{
    return part_of(image)->buffers + chunk % BUFFERS * scratch.buffer_bytes;
}

void scratch_done(enum scratch_step step, uint64_t chunk)
{
    atomic_store_explicit(&part_of(runtime.image)->done[step], chunk, memory_order_release);
}

int scratch_wait(int image, enum scratch_step step, uint64_t chunk)
{
    const _Atomic uint64_t *done = &part_of(image)->done[step];
    if (atomic_load_explicit(done, memory_order_acquire) >= chunk)
        return CAF_OK;
    struct wait wait = wait_start(caf_statement);
    for (int turn = 1; atomic_load_explicit(done, memory_order_acquire) < chunk; turn++) {
        int code = wait_turn(&wait);
        if (!code && turn % STATE_TURNS == 0)
            code = check_stopped();
        if (code)
            return code;
    }
    return CAF_OK;
}

int scratch_wait_all(enum scratch_step step, uint64_t chunk)
{
    for (int image = 1; image <= runtime.images; image++) {
        int code = scratch_wait(image, step, chunk);
        if (code)
            return code;
    }
    return CAF_OK;
}

int scratch_wait_buffer(uint64_t chunk)
{
    return chunk > BUFFERS ? scratch_wait_all(SCRATCH_TAKEN, chunk - BUFFERS) : CAF_OK;
}
