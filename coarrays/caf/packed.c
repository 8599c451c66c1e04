#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "far.h"
#include "messages.h"
#include "section.h"
#include "wait.h"

/* Sections travel in chunks of this size, so that no image needs memory for more than a few. */
enum { CHUNK_BYTES = 1 << 20, UNACKNOWLEDGED_BYTES = 4 * CHUNK_BYTES, WANTED = 4 };

/* Where elements lie in the target's coarray; the elements follow in a put. */
struct place {
    uint32_t coarray, rank;
    uint64_t ticket; /* of a get, named by its reply */
    uint64_t offset, element_bytes;
    uint64_t count[CAF_MAX_RANK];
    int64_t stride[CAF_MAX_RANK];
};

static size_t unacknowledged_bytes;

/* The gets that were requested and not yet replied to. */
static struct wanted {
    uint64_t ticket; /* 0: none */
    struct far_section section;
} wanted[WANTED];
static uint64_t last_ticket;

/* ---- messages ---- */

static enum dm_status buffer_create(size_t bytes, char **buffer)
{
    *buffer = malloc(bytes);
    return *buffer ? DM_OK : error_no_memory(bytes);
}

static struct place place_of(const struct far_section *section, uint64_t ticket)
{
    struct place place = {.coarray = coarray_number(section->coarray),
                          .rank = (uint32_t)section->rank,
                          .ticket = ticket,
                          .offset = section->offset,
                          .element_bytes = section->element_bytes};
    for (int d = 0; d < section->rank; d++) {
        place.count[d] = section->count[d];
        place.stride[d] = section->far[d];
    }
    return place;
}

/* The same, seen from the target: its own memory is the local side. */
static struct far_section section_at(const struct place *place)
{
    struct far_section section = {.rank = (int)place->rank, .element_bytes = place->element_bytes};
    section.local = near_address(coarray_of_number(place->coarray), runtime.image, place->offset);
    for (int d = 0; d < section.rank; d++) {
        section.count[d] = place->count[d];
        section.near[d] = place->stride[d];
    }
    return section;
}

static enum dm_status handle_put(int from_image, const void *body, size_t bytes)
{
    uint64_t taken = bytes - sizeof(struct place);
    struct place place;
    memcpy(&place, body, sizeof place);
    struct far_section section = section_at(&place);
    far_unpack(&section, (const char *)body + sizeof place);
    return messages_send(from_image, MESSAGE_PUT_DONE, &taken, sizeof taken);
}

static enum dm_status handle_put_done(int from_image, const void *body, size_t bytes)
{
    uint64_t taken;
    (void)from_image;
    (void)bytes;
    memcpy(&taken, body, sizeof taken);
    unacknowledged_bytes -= taken;
    return DM_OK;
}

static enum dm_status handle_get(int from_image, const void *body, size_t bytes)
{
    struct place place;
    (void)bytes;
    memcpy(&place, body, sizeof place);
    struct far_section section = section_at(&place);
    size_t length = sizeof place.ticket + far_bytes(&section);
    char *reply;
    TRY(buffer_create(length, &reply));
    memcpy(reply, &place.ticket, sizeof place.ticket);
    far_pack(&section, reply + sizeof place.ticket);
    enum dm_status status = messages_send(from_image, MESSAGE_GET_DONE, reply, length);
    free(reply);
    return status;
}

/* A reply that nobody waits for any more, because the wait for it has ended, has no ticket here. */
static enum dm_status handle_get_done(int from_image, const void *body, size_t bytes)
{
    uint64_t ticket;
    (void)from_image;
    (void)bytes;
    memcpy(&ticket, body, sizeof ticket);
    for (int i = 0; i < WANTED; i++)
        if (wanted[i].ticket == ticket) {
            far_unpack(&wanted[i].section, (const char *)body + sizeof ticket);
            wanted[i].ticket = 0;
        }
    return DM_OK;
}

void packed_start(void)
{
    unacknowledged_bytes = 0;
    for (int i = 0; i < WANTED; i++)
        wanted[i].ticket = 0;
    messages_handle(MESSAGE_PUT, handle_put);
    messages_handle(MESSAGE_PUT_DONE, handle_put_done);
    messages_handle(MESSAGE_GET, handle_get);
    messages_handle(MESSAGE_GET_DONE, handle_get_done);
}

/* ---- puts ---- */

static enum dm_status wait_for_acknowledgements(const char *statement, size_t remaining_bytes)
{
    struct wait wait = wait_start(statement);
    while (unacknowledged_bytes > remaining_bytes) {
        TRY(wait_turn(&wait));
    }
    return DM_OK;
}

enum dm_status packed_complete(void)
{
    return wait_for_acknowledgements("SYNC MEMORY", 0);
}

static enum dm_status put_by_message(const struct far_section *chunk)
{
    struct place place = place_of(chunk, 0);
    size_t bytes = far_bytes(chunk);
    TRY(wait_for_acknowledgements("PUT", UNACKNOWLEDGED_BYTES - CHUNK_BYTES));
    char *message;
    TRY(buffer_create(sizeof place + bytes, &message));
    memcpy(message, &place, sizeof place);
    far_pack(chunk, message + sizeof place);
    unacknowledged_bytes += bytes;
    enum dm_status status = messages_send(chunk->image, MESSAGE_PUT, message, sizeof place + bytes);
    free(message);
    return status;
}

/* ---- gets ---- */

static struct wanted *find_wanted(uint64_t ticket)
{
    for (int i = 0; i < WANTED; i++)
        if (wanted[i].ticket == ticket)
            return &wanted[i];
    return NULL;
}

/* All, or the oldest if the table is full. */
static enum dm_status wait_for_replies(bool all)
{
    struct wait wait = wait_start("GET");
    for (int i = 0; i < WANTED; i++)
        while (all ? wanted[i].ticket != 0 : !find_wanted(0)) {
            TRY(wait_turn(&wait));
        }
    return DM_OK;
}

static enum dm_status get_by_message(const struct far_section *chunk)
{
    TRY(wait_for_replies(false));
    struct wanted *free_place = find_wanted(0);
    free_place->ticket = ++last_ticket;
    free_place->section = *chunk;
    struct place place = place_of(chunk, free_place->ticket);
    return messages_send(chunk->image, MESSAGE_GET, &place, sizeof place);
}

/* ---- sections ---- */

enum dm_status packed_transfer(const struct far_section *section)
{
    struct far_section chunk;
    enum dm_status status = DM_OK;
    struct far_cut cut = far_cut(section, CHUNK_BYTES);
    while (status == DM_OK && far_next(&cut, &chunk))
        status = chunk.is_put ? put_by_message(&chunk) : get_by_message(&chunk);
    if (status == DM_OK && !section->is_put)
        status = wait_for_replies(true);
    if (status != DM_OK)
        for (int i = 0; i < WANTED; i++)
            wanted[i].ticket = 0;
    return status;
}
