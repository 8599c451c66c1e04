#include "memory.h"

#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "call.h"
#include "conduit.h"
#include "error.h"
#include "far.h"
#include "heap.h"
#include "segments.h"
#include "team.h"
#include "window.h"

struct owned_segment {
    struct segment segment; /* first: a pointer to it is one to this */
    bool is_cut;            /* into small coarrays, by `map` */
    struct owned_segment *next;
    struct granule_map map;
};

/* ---- segments ---- */

static void drop_memory(struct segment *segment)
{
    if (window_brings_memory())
        free(segment->shared.part);
    else
        shared_destroy(&segment->shared);
}

/* Memory of the node; all images have it or none. */
static enum dm_status open_memory(struct segment *segment, size_t bytes,
                                  enum shared_addresses addresses)
{
    enum dm_status status = agree(shared_create(&segment->shared, bytes, addresses));
    if (status != DM_OK || window_brings_memory())
        shared_destroy(&segment->shared);
    return status;
}

/* MPI's memory is requested only where the node's has been found to suffice: MPI itself may end the
 * program when it does not. */
static enum dm_status open_segment(struct segment *segment, size_t bytes,
                                   enum shared_addresses addresses)
{
    enum dm_status status = open_memory(segment, bytes, addresses);
    if (status != DM_OK || !runtime.windows || current_team->images == 1)
        return status;
    status = conduit->open(segment, bytes);
    if (status != DM_OK)
        drop_memory(segment);
    return status;
}

static enum dm_status create_segment(size_t bytes, bool is_cut, enum shared_addresses addresses,
                                     struct owned_segment **created)
{
    struct owned_segment *owned = calloc(1, sizeof *owned), **end = &current_team->segments;
    enum dm_status status =
        owned ? DM_OK : dm_fail(DM_NO_MEMORY, "ALLOCATE: no memory on image %d", runtime.image);
    status = agree(status);
    if (status == DM_OK) {
        owned->is_cut = is_cut;
        owned->segment.window = MPI_WIN_NULL;
        owned->segment.team = current_team;
        status = open_segment(&owned->segment, bytes, addresses);
    }
    if (status != DM_OK) {
        free(owned);
        return status;
    }
    while (*end)
        end = &(*end)->next;
    *created = *end = owned;
    return DM_OK;
}

static enum dm_status destroy_segment(struct owned_segment *owned)
{
    struct owned_segment **link = &((struct team *)owned->segment.team)->segments;
    enum dm_status status = memory_flush();
    while (*link != owned)
        link = &(*link)->next;
    *link = owned->next;
    if (status == DM_OK)
        status = conduit->close(&owned->segment);
    drop_memory(&owned->segment);
    free(owned);
    return status;
}

/* ---- room in them ---- */

static struct owned_segment *find_room(size_t bytes, size_t *offset)
{
    for (struct owned_segment *owned = current_team->segments; owned; owned = owned->next)
        if (owned->is_cut && granules_take(&owned->map, bytes, offset)) {
            /* An earlier coarray may have been here. */
            memset(segment_own_part(&owned->segment) + *offset, 0, bytes);
            return owned;
        }
    return NULL;
}

enum dm_status segments_take(size_t bytes, enum shared_addresses addresses,
                             struct segment **segment, size_t *offset)
{
    bool is_small = bytes <= MEMORY_SMALL && addresses == SHARED_ANYWHERE;
    struct owned_segment *owned = is_small ? find_room(bytes, offset) : NULL;
    if (!owned) {
        TRY(create_segment(is_small ? MEMORY_SEGMENT : bytes, is_small, addresses, &owned));
        *offset = 0;
        if (is_small)
            granules_take(&owned->map, bytes, offset);
    }
    *segment = &owned->segment;
    return DM_OK;
}

/* One segment for small coarrays stays, for a program that allocates and frees them in turn. */
static bool is_only_cut(const struct owned_segment *owned)
{
    for (const struct owned_segment *other = current_team->segments; other; other = other->next)
        if (other->is_cut && other != owned)
            return false;
    return true;
}

enum dm_status segments_give(struct segment *segment, size_t bytes, size_t offset)
{
    struct owned_segment *owned = (struct owned_segment *)segment;
    if (owned->is_cut) {
        granules_give(&owned->map, bytes, offset);
        if (owned->map.used > 0 || is_only_cut(owned))
            return DM_OK;
    }
    return destroy_segment(owned);
}

/* ---- start and end ---- */

void memory_start(void)
{
    pending_clear();
    packed_start();
    call_start();
}

enum dm_status segments_give_all(struct team *team)
{
    coarrays_forget(team);
    team->scratch.segment = NULL;
    team->scratch.failed = DM_OK;
    while (team->segments)
        TRY(destroy_segment(team->segments));
    return DM_OK;
}

/* An image may have stopped within a team. */
enum dm_status memory_end(void)
{
    for (struct team *team = current_team; team; team = team->parent)
        TRY(segments_give_all(team));
    rma_end();
    return DM_OK;
}
