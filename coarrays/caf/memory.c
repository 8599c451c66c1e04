#include "memory.h"

#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "error.h"
#include "far.h"
#include "heap.h"
#include "segments.h"
#include "window.h"

struct owned_segment {
    struct segment segment; /* first: a pointer to it is one to this */
    bool is_cut;            /* into small coarrays, by `map` */
    struct owned_segment *next;
    struct granule_map map;
};

/* All segments, oldest first: the same on all images. */
static struct owned_segment *segments;

/* ---- segments ---- */

static void drop_memory(struct segment *segment)
{
    if (window_brings_memory())
        free(segment->shared.part);
    else
        shared_destroy(&segment->shared);
}

/* Memory of the node; all images have it or none. */
static int open_memory(struct segment *segment, size_t bytes)
{
    const char *reason = NULL;
    bool is_there = shared_create(&segment->shared, bytes, &reason);
    int code = CAF_OK;
    if (reason)
        code = caf_error(CAF_NO_MEMORY, "ALLOCATE: image %d cannot have %zu bytes: %s",
                         runtime.image, bytes, reason);
    code = agree(code);
    if (is_there && (code || window_brings_memory()))
        shared_destroy(&segment->shared);
    return code;
}

/* MPI's memory is asked for only where the node's has been found to suffice: MPI itself may end the
 * program when it does not. */
static int open_segment(struct segment *segment, size_t bytes)
{
    int code = open_memory(segment, bytes);
    if (code || !runtime.windows || runtime.images == 1)
        return code;
    code = window_open(segment, bytes);
    if (code)
        drop_memory(segment);
    return code;
}

static int create_segment(size_t bytes, bool is_cut, struct owned_segment **created)
{
    struct owned_segment *owned = calloc(1, sizeof *owned), **end = &segments;
    int code =
        owned ? CAF_OK : caf_error(CAF_NO_MEMORY, "ALLOCATE: no memory on image %d", runtime.image);
    code = agree(code);
    if (!code) {
        owned->is_cut = is_cut;
        owned->segment.window = MPI_WIN_NULL;
        code = open_segment(&owned->segment, bytes);
    }
    if (code) {
        free(owned);
        return code;
    }
    while (*end)
        end = &(*end)->next;
    *created = *end = owned;
    return CAF_OK;
}

static int destroy_segment(struct owned_segment *owned)
{
    struct owned_segment **link = &segments;
    int code = memory_flush();
    while (*link != owned)
        link = &(*link)->next;
    *link = owned->next;
    if (!code)
        code = window_close(&owned->segment);
    drop_memory(&owned->segment);
    free(owned);
    return code;
}

/* ---- room in them ---- */

static struct owned_segment *find_room(size_t bytes, size_t *offset)
{
    for (struct owned_segment *owned = segments; owned; owned = owned->next)
        if (owned->is_cut && granules_take(&owned->map, bytes, offset)) {
            /* An earlier coarray may have been here. */
            memset(segment_own_part(&owned->segment) + *offset, 0, bytes);
            return owned;
        }
    return NULL;
}

int segments_take(size_t bytes, struct segment **segment, size_t *offset)
{
    bool is_small = bytes <= MEMORY_SMALL;
    struct owned_segment *owned = is_small ? find_room(bytes, offset) : NULL;
    if (!owned) {
        int code = create_segment(is_small ? MEMORY_SEGMENT : bytes, is_small, &owned);
        if (code)
            return code;
        *offset = 0;
        if (is_small)
            granules_take(&owned->map, bytes, offset);
    }
    *segment = &owned->segment;
    return CAF_OK;
}

/* One segment for small coarrays stays, for a program that allocates and frees them in turn. */
static bool is_only_cut(const struct owned_segment *owned)
{
    for (const struct owned_segment *other = segments; other; other = other->next)
        if (other->is_cut && other != owned)
            return false;
    return true;
}

int segments_give(struct segment *segment, size_t bytes, size_t offset)
{
    struct owned_segment *owned = (struct owned_segment *)segment;
    if (owned->is_cut) {
        granules_give(&owned->map, bytes, offset);
        if (owned->map.used > 0 || is_only_cut(owned))
            return CAF_OK;
    }
    return destroy_segment(owned);
}

/* ---- start and end ---- */

void memory_start(void)
{
    segments = NULL;
    pending_clear();
    packed_start();
}

void memory_end(void)
{
    coarrays_forget();
    while (segments)
        if (destroy_segment(segments))
            caf_error_stop(1, caf_error_text());
    rma_end();
}
