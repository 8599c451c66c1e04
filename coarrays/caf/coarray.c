#include <stdlib.h>

#include "agree.h"
#include "error.h"
#include "memory.h"
#include "messages.h"
#include "parcel.h"
#include "segments.h"
#include "sync.h"
#include "team.h"

/* Coarrays by their number: the same on all images, because all allocate and free in the same
 * order and the lowest free number is taken. */
static struct caf_coarray **numbered;
static uint32_t numbers, lowest_free;

/* Bytes that the program has requested and not freed, what CAF_MEMORY limits. */
static size_t held_bytes;

uint32_t coarray_number(const struct caf_coarray *coarray)
{
    return coarray->number;
}

struct caf_coarray *coarray_of_number(uint32_t number)
{
    return number < numbers ? numbered[number] : NULL;
}

static bool reserve_number(void)
{
    while (lowest_free < numbers && numbered[lowest_free])
        lowest_free++;
    if (lowest_free < numbers)
        return true;
    uint32_t more = numbers ? 2 * numbers : 64;
    messages_hold();
    struct caf_coarray **table = realloc(numbered, more * sizeof *table);
    if (table) {
        for (uint32_t i = numbers; i < more; i++)
            table[i] = NULL;
        numbered = table;
        numbers = more;
    }
    messages_release();
    return table;
}

static void enter(struct caf_coarray *coarray)
{
    coarray->number = lowest_free;
    messages_hold();
    numbered[lowest_free] = coarray;
    messages_release();
    held_bytes += coarray->bytes;
}

static void forget(struct caf_coarray *coarray)
{
    messages_hold();
    numbered[coarray->number] = NULL;
    messages_release();
    if (coarray->number < lowest_free)
        lowest_free = coarray->number;
    held_bytes -= coarray->bytes;
    free(coarray);
}

void coarrays_forget(const struct team *team)
{
    for (uint32_t i = 0; i < numbers; i++)
        if (numbered[i] && numbered[i]->segment->team == team)
            forget(numbered[i]);
    if (team->parent)
        return;
    messages_hold();
    free(numbered);
    numbered = NULL;
    numbers = lowest_free = 0;
    messages_release();
}

/* ---- allocation ---- */

/* What this image alone can know. */
static enum dm_status check_request(size_t bytes, enum caf_kind kind,
                                    const struct caf_coarray *record)
{
    if (kind != CAF_DATA)
        return invalid(CAF_BAD_ARGUMENT, "ALLOCATE: image %d requests the unknown kind %d",
                       runtime.image, (int)kind);
    if (bytes > PTRDIFF_MAX / 2)
        return dm_fail(DM_NO_MEMORY, "ALLOCATE: image %d requests %zu bytes", runtime.image, bytes);
    if (runtime.memory_limit && bytes > runtime.memory_limit - held_bytes)
        return dm_fail(DM_NO_MEMORY,
                       "ALLOCATE: image %d cannot have %zu bytes: CAF_MEMORY allows %zu, %zu are "
                       "taken",
                       runtime.image, bytes, runtime.memory_limit, held_bytes);
    if (!record || !reserve_number())
        return dm_fail(DM_NO_MEMORY, "ALLOCATE: no memory on image %d", runtime.image);
    return DM_OK;
}

/* Image 1 may be the one that is wrong, but nobody can tell. */
static enum dm_status different_sizes(size_t bytes)
{
    uint64_t first = bytes;
    enum dm_status status = agree_first(&first);
    if (status == DM_OK && bytes != first)
        status = invalid(CAF_BAD_ARGUMENT, "ALLOCATE: image %d requests %zu bytes, image 1 %zu",
                         runtime.image, bytes, (size_t)first);
    return agree(status);
}

static enum dm_status find_room(struct caf_coarray *coarray, enum shared_addresses addresses)
{
    TRY(segments_take(coarray->bytes, addresses, &coarray->segment, &coarray->offset));
    coarray->part = (char **)(coarray + 1);
    for (int place = 0; place < runtime.near_count; place++)
        if (coarray->segment->shared.part[place]) /* the team's */
            coarray->part[place] = (char *)coarray->segment->shared.part[place] + coarray->offset;
    enter(coarray);
    return DM_OK;
}

enum dm_status sync_for_windows(const char *statement, enum dm_status *met)
{
    *met = caf_sync_all();
    if (*met != DM_OK && !is_failed_image(*met))
        return *met;
    if (*met == DM_OK || !runtime.by_mpi)
        return DM_OK;
    return dm_fail(DM_UNAVAILABLE,
                   "%s: an image has failed; with MPI between nodes, or CAF_PATH=rma, all of them "
                   "have to take part (CAF_CONDUIT=ucx goes on without it)",
                   statement);
}

enum dm_status coarray_allocate(struct caf_coarray **coarray, size_t bytes, enum caf_kind kind,
                                enum shared_addresses addresses, void **memory)
{
    bool same;
    enum dm_status met;
    TRY(sync_for_windows("ALLOCATE", &met));
    caf_statement = "ALLOCATE";
    struct caf_coarray *record =
        calloc(1, sizeof *record + (size_t)runtime.near_count * sizeof *record->part);
    enum dm_status status = agree_same(check_request(bytes, kind, record), bytes, &same);
    if (status == DM_OK && !same)
        status = different_sizes(bytes);
    if (status == DM_OK) {
        record->bytes = bytes;
        record->kind = kind;
        status = find_room(record, addresses);
    }
    if (status != DM_OK) {
        free(record);
        return status;
    }
    *coarray = record;
    *memory = caf_memory(record);
    return caf_sync_all();
}

enum dm_status caf_allocate(struct caf_coarray **coarray, size_t bytes, enum caf_kind kind,
                            void **memory)
{
    return coarray_allocate(coarray, bytes, kind, SHARED_ANYWHERE, memory);
}

enum dm_status caf_free(struct caf_coarray *coarray)
{
    bool same;
    enum dm_status met, status = DM_OK;
    TRY(sync_for_windows("DEALLOCATE", &met));
    caf_statement = "DEALLOCATE";
    if (!coarray)
        status = invalid(CAF_BAD_ARGUMENT, "DEALLOCATE: image %d names no coarray", runtime.image);
    status = agree_same(status, coarray ? coarray->number : 0, &same);
    if (status == DM_OK && !same)
        status = invalid(CAF_BAD_ARGUMENT, "DEALLOCATE: not all images name the same coarray");
    if (status == DM_OK && coarray->segment->team != current_team)
        status = invalid(CAF_BAD_ARGUMENT,
                         "DEALLOCATE: the coarray was not allocated by the current team");
    if (status != DM_OK)
        return status;
    status = segments_give(coarray->segment, coarray->bytes, coarray->offset);
    forget(coarray);
    return status != DM_OK || met == DM_OK ? status : lost_again("DEALLOCATE");
}

/* ---- questions ---- */

void caf_set_owner(struct caf_coarray *coarray, void *owner)
{
    coarray->owner = owner;
}

void *caf_owner(const struct caf_coarray *coarray)
{
    return coarray->owner;
}

size_t caf_size(const struct caf_coarray *coarray)
{
    return coarray->bytes;
}

void *caf_memory(const struct caf_coarray *coarray)
{
    return near_address(coarray, runtime.image, 0);
}

void *caf_pointer(const struct caf_coarray *coarray, int image)
{
    if (!is_image(image) || runtime.node_of[image] != runtime.node)
        return NULL;
    if (image != runtime.image)
        parcels_by_pointer();
    return near_address(coarray, image, 0);
}
