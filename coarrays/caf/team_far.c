#include "team_far.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "messages.h"
#include "stop.h"
#include "team.h"
#include "wait.h"

/* What every message of a meeting begins with. */
struct head {
    uint32_t slot;  /* of the team, on the receiver */
    uint32_t index; /* of the sender in it */
    uint64_t number;
};

/* A result: a head, for each image the length of its record or ABSENT, and the records. */
static const uint32_t ABSENT = UINT32_MAX;

struct result {
    uint64_t number;
    size_t bytes;
    char *message;
};

/* What an image has told this one when it came. */
struct said {
    uint64_t number;
    uint32_t bytes;
    char record[TOLD_BYTES];
};

struct meeting {
    uint64_t number; /* the last that this image came to */
    uint64_t met;    /* the last of which it knows the result */
    int leader;      /* index; results of earlier ones are not accepted any more */
    int led;         /* who led the last one */
    struct said *said;
    struct result result[2]; /* [number % 2] */
};

/* Images that are ahead have come to a meeting of a team that this one has not formed yet. */
struct early {
    struct early *next;
    int image;
    size_t bytes;
    char body[];
};
static struct early *early;

/* ---- teams by name ---- */

/* Those that meet here; NULL: this image has not formed it yet. */
static struct team *meeting_team(int slot)
{
    struct team *team = team_of_slot(slot);
    return team && team->meeting ? team : NULL;
}

static enum dm_status send_head(struct team *team, int index, enum message_kind kind,
                                uint64_t number)
{
    struct head head = {(uint32_t)team->slot_number[index], (uint32_t)team->index, number};
    return messages_send(team->member[index], kind, &head, sizeof head);
}

/* The result of a meeting may still be on its way from an image that has stopped since. */
static bool runs(const struct team *team, int index)
{
    int image = team->member[index];
    enum image_state state = image_state(image);
    return state == IMAGE_RUNNING || (state == IMAGE_STOPPED && !state_is_told(image));
}

static int first_running(const struct team *team)
{
    for (int i = 1; i < team->index; i++)
        if (runs(team, i))
            return i;
    return team->index;
}

/* ---- results ---- */

static size_t padded(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

static size_t records_begin(const struct team *team)
{
    return padded(sizeof(struct head) + (size_t)team->images * sizeof(uint32_t));
}

static uint32_t *lengths(const struct result *result)
{
    return (uint32_t *)(result->message + sizeof(struct head));
}

static struct result *result_of(struct team *team, uint64_t number)
{
    return &team->meeting->result[number % 2];
}

static enum dm_status keep_result(struct team *team, uint64_t number, const void *message,
                                  size_t bytes)
{
    struct result *result = result_of(team, number);
    char *copy = realloc(result->message, bytes);
    if (!copy)
        return error_no_memory(bytes);
    if (message)
        memcpy(copy, message, bytes);
    *result = (struct result){number, bytes, copy};
    return DM_OK;
}

static enum dm_status send_result(struct team *team, int index, uint64_t number)
{
    struct result *result = result_of(team, number);
    struct head head = {(uint32_t)team->slot_number[index], (uint32_t)team->index, number};
    if (result->number != number || !result->message)
        return DM_OK;
    memcpy(result->message, &head, sizeof head);
    return messages_send(team->member[index], MESSAGE_MET, result->message, result->bytes);
}

/* The result is kept: the meeting is over, and whoever leads it tells the others. */
static enum dm_status finish(struct team *team, uint64_t number)
{
    struct meeting *meeting = team->meeting;
    meeting->met = number;
    meeting->led = meeting->leader;
    if (meeting->leader != team->index)
        return DM_OK;
    for (int i = 1; i <= team->images; i++)
        if (i != team->index && runs(team, i))
            TRY(send_result(team, i, number));
    return DM_OK;
}

/* ---- leading ---- */

/* Who came to a later one knows the result of this one, and has been asked for it. */
static bool is_complete(const struct team *team)
{
    const struct meeting *meeting = team->meeting;
    for (int i = 1; i <= team->images; i++)
        if (meeting->said[i].number != meeting->number && runs(team, i))
            return false;
    return true;
}

static enum dm_status conclude(struct team *team)
{
    struct meeting *meeting = team->meeting;
    size_t bytes = records_begin(team);
    for (int i = 1; i <= team->images; i++)
        if (meeting->said[i].number == meeting->number)
            bytes += padded(meeting->said[i].bytes);
    TRY(keep_result(team, meeting->number, NULL, bytes));
    struct result *result = result_of(team, meeting->number);
    memset(result->message, 0, bytes);
    size_t at = records_begin(team);
    for (int i = 1; i <= team->images; i++) {
        const struct said *said = &meeting->said[i];
        bool came = said->number == meeting->number;
        lengths(result)[i - 1] = came ? said->bytes : ABSENT;
        if (!came)
            continue;
        memcpy(result->message + at, said->record, said->bytes);
        at += padded(said->bytes);
    }
    return finish(team, meeting->number);
}

/* ---- following ---- */

static enum dm_status come_to(struct team *team, int leader)
{
    struct meeting *meeting = team->meeting;
    const struct said *own = &meeting->said[team->index];
    char message[sizeof(struct head) + TOLD_BYTES];
    meeting->leader = leader;
    if (leader != team->index) {
        struct head head = {(uint32_t)team->slot_number[leader], (uint32_t)team->index,
                            meeting->number};
        memcpy(message, &head, sizeof head);
        memcpy(message + sizeof head, own->record, own->bytes);
        return messages_send(team->member[leader], MESSAGE_COME, message, sizeof head + own->bytes);
    }
    /* An earlier leader may have told some the result. */
    if (leader == 1 || meeting->led == leader)
        return DM_OK;
    for (int i = 1; i <= team->images; i++)
        if (i != leader && runs(team, i))
            TRY(send_head(team, i, MESSAGE_ASK, meeting->number));
    return DM_OK;
}

/* ---- messages ---- */

static enum dm_status keep_early(int image, const void *body, size_t bytes)
{
    struct early *message = malloc(sizeof *message + bytes), **end = &early;
    if (!message)
        return error_no_memory(sizeof *message + bytes);
    *message = (struct early){.image = image, .bytes = bytes};
    memcpy(message->body, body, bytes);
    while (*end)
        end = &(*end)->next;
    *end = message;
    return DM_OK;
}

static enum dm_status hear_come(int image, const void *body, size_t bytes)
{
    struct head head;
    memcpy(&head, body, sizeof head);
    struct team *team = meeting_team((int)head.slot);
    if (!team)
        return keep_early(image, body, bytes);
    struct said *said = &team->meeting->said[head.index];
    if (said->number < head.number) {
        said->number = head.number;
        said->bytes = (uint32_t)(bytes - sizeof head);
        memcpy(said->record, (const char *)body + sizeof head, said->bytes);
    }
    return head.number <= team->meeting->met ? send_result(team, (int)head.index, head.number)
                                             : DM_OK;
}

static enum dm_status hear_met(int image, const void *body, size_t bytes)
{
    struct head head;
    memcpy(&head, body, sizeof head);
    struct team *team = meeting_team((int)head.slot);
    (void)image;
    if (!team)
        return DM_OK;
    struct meeting *meeting = team->meeting;
    bool from_leader = (int)head.index == meeting->leader || meeting->leader == team->index;
    if (head.number != meeting->number || head.number <= meeting->met || !from_leader)
        return DM_OK;
    TRY(keep_result(team, head.number, body, bytes));
    return finish(team, head.number);
}

static enum dm_status hear_ask(int image, const void *body, size_t bytes)
{
    struct head head;
    (void)image;
    (void)bytes;
    memcpy(&head, body, sizeof head);
    struct team *team = meeting_team((int)head.slot);
    if (!team)
        return DM_OK;
    struct meeting *meeting = team->meeting;
    if (head.number <= meeting->met)
        return send_result(team, (int)head.index, head.number);
    if ((int)head.index <= meeting->leader)
        return DM_OK;
    /* Also if it is an earlier one: the new leader knows what came of that. */
    if (meeting->met < meeting->number)
        return come_to(team, (int)head.index);
    meeting->leader = (int)head.index;
    return DM_OK;
}

void team_far_start(void)
{
    messages_handle(MESSAGE_COME, hear_come);
    messages_handle(MESSAGE_MET, hear_met);
    messages_handle(MESSAGE_ASK, hear_ask);
}

void team_far_end(void)
{
    while (early) {
        struct early *next = early->next;
        free(early);
        early = next;
    }
}

/* ---- meetings ---- */

static enum dm_status hear_early(int slot)
{
    struct early **link = &early;
    while (*link) {
        struct early *message = *link;
        struct head head;
        memcpy(&head, message->body, sizeof head);
        if ((int)head.slot != slot) {
            link = &message->next;
            continue;
        }
        *link = message->next;
        enum dm_status status = hear_come(message->image, message->body, message->bytes);
        free(message);
        TRY(status);
    }
    return DM_OK;
}

enum dm_status meeting_create(struct team *team)
{
    size_t count = (size_t)team->images + 1;
    struct meeting *meeting = calloc(1, sizeof *meeting);
    team->meeting = meeting;
    if (meeting)
        meeting->said = calloc(count, sizeof *meeting->said);
    if (!meeting || !meeting->said)
        return error_no_memory(count * sizeof *meeting->said);
    return hear_early(team->slot_number[team->index]);
}

void meeting_destroy(struct meeting *meeting)
{
    if (!meeting)
        return;
    free(meeting->said);
    free(meeting->result[0].message);
    free(meeting->result[1].message);
    free(meeting);
}

static enum dm_status wait_for_result(const char *statement, struct team *team)
{
    struct meeting *meeting = team->meeting;
    struct wait wait = wait_start(statement);
    while (meeting->met < meeting->number) {
        int first = first_running(team);
        if (first > meeting->leader)
            TRY(come_to(team, first));
        if (meeting->leader == team->index && is_complete(team))
            TRY(conclude(team));
        if (meeting->met < meeting->number)
            TRY(wait_turn(&wait));
    }
    return DM_OK;
}

enum dm_status meeting_hold(const char *statement, const void *record, size_t bytes)
{
    struct team *team = current_team;
    struct meeting *meeting = team->meeting;
    struct said *own = &meeting->said[team->index];
    int first = first_running(team);
    own->number = ++meeting->number;
    own->bytes = (uint32_t)bytes;
    if (bytes)
        memcpy(own->record, record, bytes);
    TRY(come_to(team, first > meeting->leader ? first : meeting->leader));
    TRY(wait_for_result(statement, team));
    const struct result *result = result_of(team, meeting->number);
    for (int i = 1; i <= team->images; i++)
        team->came[i] = lengths(result)[i - 1] != ABSENT;
    return DM_OK;
}

const void *meeting_told(const struct team *team, int index)
{
    const struct result *result = &team->meeting->result[team->meeting->met % 2];
    size_t at = records_begin(team);
    for (int i = 1; i < index; i++)
        if (lengths(result)[i - 1] != ABSENT)
            at += padded(lengths(result)[i - 1]);
    return result->message + at;
}
