#include "collective_parts.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "messages.h"
#include "team.h"

/* What has come and is not yet wanted. */
static struct part *parts;

static enum dm_status hear(int from_image, const void *body, size_t bytes)
{
    (void)from_image;
    size_t length = bytes - sizeof(struct part_head);
    struct part *part = malloc(sizeof *part + length), **end = &parts;
    if (!part)
        return error_no_memory(sizeof *part + length);
    part->next = NULL;
    part->bytes = length;
    memcpy(&part->head, body, sizeof part->head);
    memcpy(part->data, (const char *)body + sizeof part->head, length);
    while (*end)
        end = &(*end)->next;
    *end = part;
    return DM_OK;
}

void parts_start(void)
{
    messages_handle(MESSAGE_PART, hear);
}

void parts_end(void)
{
    while (parts) {
        struct part *next = parts->next;
        free(parts);
        parts = next;
    }
}

enum dm_status part_give(struct part_key key, int to_index, const void *data, size_t bytes)
{
    struct team *team = current_team;
    struct part_head head = {.slot = (uint32_t)team->slot_number[to_index],
                             .from = (uint32_t)team->index,
                             .collective = team->collectives,
                             .step = key.step,
                             .piece = key.piece};
    char *message = malloc(sizeof head + bytes);
    if (!message)
        return error_no_memory(sizeof head + bytes);
    memcpy(message, &head, sizeof head);
    if (bytes)
        memcpy(message + sizeof head, data, bytes);
    enum dm_status status =
        messages_send(team->member[to_index], MESSAGE_PART, message, sizeof head + bytes);
    free(message);
    return status;
}

struct part *part_find(struct part_key key, int from_index)
{
    const struct team *team = current_team;
    uint32_t slot = (uint32_t)team->slot_number[team->index];
    struct part **link = &parts;
    while (*link) {
        struct part *part = *link;
        bool is_ours = part->head.slot == slot;
        if (is_ours && part->head.collective < team->collectives) {
            *link = part->next;
            free(part);
        } else if (is_ours && part->head.collective == team->collectives &&
                   part->head.step == key.step && part->head.piece == key.piece &&
                   part->head.from == (uint32_t)from_index) {
            *link = part->next;
            return part;
        } else {
            link = &part->next;
        }
    }
    return NULL;
}
