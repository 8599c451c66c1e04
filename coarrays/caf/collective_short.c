/* Short collectives of images on several nodes, where MPI carries the rest: by this library's own
 * messages. MPI's would need a sync all in front (collective_far.c), which takes longer than what
 * follows.
 *
 * The images of a team number its collectives. Each tells at its end how many it has done: near
 * ones read it in its slot, far ones get a message before the one that it has ended. Who waits in a
 * collective gives up when an image has ended that had not done it; one that had done it has given
 * all that others need. What was given up leaves parts that nobody wants, and no call of MPI's.
 *
 * A broadcast takes the way of a binomial tree. In a reduction images exchange what they have with
 * that at distance 1, 2, 4 and so on (recursive doubling); where one image wants the result, the
 * others only give. So the result is the same on all, to the bit, and keeps the order of the
 * images: (x1 + x2) + (x3 + x4). If their number is no power of 2, the first ones form pairs of
 * which the second stands for both. */
#include "collective_short.h"

#include <stdlib.h>
#include <string.h>

#include "collective_internal.h"
#include "collective_parts.h"
#include "common/clock.h"
#include "error.h"
#include "messages.h"
#include "messages_mpi.h"
#include "sync.h"
#include "team.h"
#include "wait.h"

enum {
    AHEAD = 256,     /* collectives that an image may be ahead of another, where parts lie then */
    LOOK_TURNS = 16, /* turns between two looks at whether somebody has ended */
};

static const double LOOK_EVERY_S = 1e-3;

/* In one collective an image gives another one part at most. */
static const struct part_key ONLY;

/* ---- who has ended ---- */

struct note {
    uint32_t slot; /* of the team, on the receiver */
    uint32_t from; /* index */
    uint64_t done;
};

/* Who has not formed the team knows of no collective of it: so 0 is right there. */
static enum dm_status hear(int from_image, const void *body, size_t bytes)
{
    struct note note;
    (void)from_image;
    (void)bytes;
    memcpy(&note, body, sizeof note);
    struct team *team = team_of_slot((int)note.slot);
    if (team)
        team->shorts.done[note.from] = note.done;
    return DM_OK;
}

void shorts_start(void)
{
    messages_handle(MESSAGE_SHORTS, hear);
}

static _Atomic uint64_t *done_by(const struct team *team, int index)
{
    return &team->slot[index]->shorts;
}

enum dm_status shorts_tell(void)
{
    for (const struct team *team = team_newest(); team; team = team->next) {
        if (!team->slot) /* there was no memory to form it */
            continue;
        struct note note = {.from = (uint32_t)team->index};
        note.done = atomic_load_explicit(done_by(team, team->index), memory_order_relaxed);
        for (int i = 1; note.done > 0 && i <= team->images; i++) {
            if (caf_is_near(team->member[i]))
                continue;
            note.slot = (uint32_t)team->slot_number[i];
            TRY(messages_send(team->member[i], MESSAGE_SHORTS, &note, sizeof note));
        }
    }
    return DM_OK;
}

/* Before it had done the collective that runs. */
static bool has_ended(const struct team *team, int index)
{
    int image = team->member[index];
    if (image_state(image) == IMAGE_RUNNING)
        return false;
    uint64_t done = caf_is_near(image)
                        ? atomic_load_explicit(done_by(team, index), memory_order_relaxed)
                        : team->shorts.done[index];
    return done < team->collectives;
}

/* An image that has stopped is named before one that has failed. */
static enum dm_status check_ended(void)
{
    const struct team *team = current_team;
    int ended = 0;
    for (int i = team->images; i >= 1; i--)
        if (has_ended(team, i) && (ended == 0 || image_state(team->member[i]) == IMAGE_STOPPED ||
                                   image_state(ended) == IMAGE_FAILED))
            ended = team->member[i];
    return ended ? lost(caf_statement, ended) : DM_OK;
}

/* ---- begin and end ---- */

/* A source of broadcasts waits for nobody: it learns here who has ended, if it has not looked
 * lately. MPI takes as long for a look as for a broadcast. */
static enum dm_status hear_of_ends(void)
{
    static double looked_s;
    double now_s = clock_now_s();
    if (now_s - looked_s < LOOK_EVERY_S)
        return DM_OK;
    looked_s = now_s;
    for (bool found = true; found;)
        TRY(messages_progress(&found));
    return DM_OK;
}

static enum dm_status begin(void)
{
    current_team->collectives++;
    TRY(hear_of_ends());
    return check_ended();
}

/* What this image has given has left it, so that it may do anything else from now on. */
static enum dm_status let_leave(void)
{
    struct wait wait = wait_start(caf_statement);
    while (!messages_mpi_have_left())
        TRY(wait_turn(&wait));
    return DM_OK;
}

/* Who has ended is found again by every later collective. */
static enum dm_status end(enum dm_status status)
{
    struct team *team = current_team;
    if (status == DM_OK)
        status = let_leave();
    if (status == DM_OK)
        atomic_store_explicit(done_by(team, team->index), team->collectives, memory_order_release);
    team->shorts.failed = status == DM_LOST ? DM_OK : status;
    return status;
}

static enum dm_status check_earlier(void)
{
    if (current_team->shorts.failed == DM_OK)
        return DM_OK;
    return dm_fail(current_team->shorts.failed,
                   "%s: an earlier collective of this image did not end", caf_statement);
}

/* ---- parts ---- */

static enum dm_status give(int index, const void *data, size_t bytes)
{
    return part_give(ONLY, index, data, bytes);
}

static enum dm_status wait_for(int index, struct part **taken)
{
    struct wait wait = wait_start(caf_statement);
    for (int turn = 1; !(*taken = part_find(ONLY, index)); turn++) {
        if (turn % LOOK_TURNS == 0)
            TRY(check_ended());
        TRY(wait_turn(&wait));
    }
    return DM_OK;
}

static enum dm_status take(int index, size_t bytes, struct part **taken)
{
    TRY(wait_for(index, taken));
    size_t given = (*taken)->bytes;
    if (given == bytes)
        return DM_OK;
    free(*taken);
    return invalid(CAF_BAD_ARGUMENT, "%s: %zu bytes on this image, but %zu on image %d",
                   caf_statement, bytes, given, index);
}

static enum dm_status take_into(char *data, int index, size_t bytes)
{
    struct part *part;
    TRY(take(index, bytes, &part));
    if (bytes)
        memcpy(data, part->data, bytes);
    free(part);
    return DM_OK;
}

/* ---- broadcast ---- */

/* Ranks count from the source, which has 0. */
static enum dm_status broadcast(char *data, size_t bytes, int source)
{
    int images = current_team->images, mask = 1;
    int rank = (current_team->index - source + images) % images;
    while (mask < images && !(rank & mask))
        mask *= 2;
    if (rank)
        TRY(take_into(data, (rank - mask + source - 1) % images + 1, bytes));
    while ((mask /= 2) > 0)
        if (rank + mask < images)
            TRY(give((rank + mask + source - 1) % images + 1, data, bytes));
    return DM_OK;
}

/* ---- reduction ---- */

/* The power of 2 that is left, and how many pairs stand for one each. */
static int places(void)
{
    int count = 1;
    while (count <= current_team->images / 2)
        count *= 2;
    return count;
}

static int pairs(void)
{
    return current_team->images - places();
}

static int place_of(int index)
{
    return index <= 2 * pairs() ? (index - 1) / 2 : index - 1 - pairs();
}

static int index_at(int place)
{
    return place < pairs() ? 2 * place + 2 : place + 1 + pairs();
}

static bool is_first_of_pair(int index)
{
    return index <= 2 * pairs() && index % 2 == 1;
}

static bool is_wanted(const struct reduction *reduction, int index)
{
    return reduction->result_image == 0 || reduction->result_image == index;
}

/* The left operand is that of the lower images. */
static enum dm_status combine(const struct reduction *reduction, char *own, int index)
{
    struct part *part;
    size_t bytes = reduction->count * reduction->element_bytes;
    TRY(take(index, bytes, &part));
    if (bytes == 0) {
        free(part);
        return DM_OK;
    }
    if (index < current_team->index) {
        reduction->combine(part->data, own, reduction->count, reduction->context);
    } else {
        reduction->combine(own, part->data, reduction->count, reduction->context);
        memcpy(own, part->data, bytes);
    }
    free(part);
    return DM_OK;
}

static enum dm_status exchange(const struct reduction *reduction, char *own)
{
    int place = place_of(current_team->index), result = place_of(reduction->result_image);
    for (int mask = 1; mask < places(); mask *= 2) {
        int partner = index_at(place ^ mask);
        bool all = reduction->result_image == 0, gives = all || (place ^ result) & mask;
        if (gives)
            TRY(give(partner, own, reduction->count * reduction->element_bytes));
        if (gives && !all)
            break;
        TRY(combine(reduction, own, partner));
    }
    return DM_OK;
}

/* Who wants the result has it in `own` then. */
static enum dm_status reduce(const struct reduction *reduction, char *own)
{
    int index = current_team->index;
    size_t bytes = reduction->count * reduction->element_bytes;
    if (is_first_of_pair(index)) {
        TRY(give(index + 1, own, bytes));
        return is_wanted(reduction, index) ? take_into(own, index + 1, bytes) : DM_OK;
    }
    bool is_second = index > 1 && is_first_of_pair(index - 1);
    if (is_second)
        TRY(combine(reduction, own, index - 1));
    TRY(exchange(reduction, own));
    return is_second && is_wanted(reduction, index - 1) ? give(index - 1, own, bytes) : DM_OK;
}

static enum dm_status run_reduction(const struct reduction *reduction)
{
    size_t bytes = reduction->count * reduction->element_bytes;
    enum dm_status status = begin();
    char *own = malloc(bytes + 1);
    if (status == DM_OK && !own)
        status = error_no_memory(bytes + 1);
    if (own && bytes)
        memcpy(own, reduction->data, bytes);
    if (status == DM_OK)
        status = reduce(reduction, own);
    if (status == DM_OK && is_wanted(reduction, current_team->index) && bytes)
        memcpy(reduction->data, own, bytes);
    free(own);
    return end(status);
}

/* ---- all ---- */

/* Now and then all wait for all, by a reduction of nothing: the source of broadcasts waits for
 * nobody else. Who has ended is found again by the collective that follows. */
static enum dm_status wait_for_the_last(void)
{
    const struct reduction nothing = {.element_bytes = 1};
    if (current_team->collectives % AHEAD != AHEAD - 1)
        return DM_OK;
    enum dm_status status = run_reduction(&nothing);
    return status == DM_LOST ? DM_OK : status;
}

enum dm_status short_broadcast(char *data, size_t bytes, int source_image)
{
    TRY(check_earlier());
    TRY(wait_for_the_last());
    enum dm_status status = begin();
    if (status == DM_OK)
        status = broadcast(data, bytes, source_image);
    return end(status);
}

enum dm_status short_reduce(const struct reduction *reduction)
{
    TRY(check_earlier());
    TRY(wait_for_the_last());
    return run_reduction(reduction);
}
