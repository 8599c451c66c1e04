/* How images of a team meet, and tell one another: on one node through shared memory. */
#include <string.h>

#include "error.h"
#include "sync.h"
#include "team.h"
#include "team_far.h"
#include "wait.h"

static bool all_came(void)
{
    for (int i = 1; i <= current_team->images; i++)
        if (!current_team->came[i])
            return false;
    return true;
}

/* Of those that did not come a stopped one is named before a failed one; who came may have stopped
 * since. The meeting may end before this image sees by itself what became of the others. */
static enum dm_status lost_absent(const char *statement)
{
    struct wait wait = wait_start(statement);
    int absent = 0;
    for (int i = 1; i <= current_team->images; i++) {
        int image = current_team->member[i];
        if (current_team->came[i])
            continue;
        while (image_state(image) == IMAGE_RUNNING)
            TRY(wait_turn(&wait));
        if (absent == 0 || image_state(image) == IMAGE_STOPPED)
            absent = image;
    }
    return lost(statement, absent);
}

static enum dm_status meet_near(const char *statement)
{
    struct team *team = current_team;
    _Atomic uint64_t *own = team->arrived[team->index];
    uint64_t number = atomic_load_explicit(own, memory_order_relaxed) + 1;
    atomic_store_explicit(own, number, memory_order_release);
    struct wait wait = wait_start(statement);
    bool complete = true;
    for (int i = 1; i <= team->images; i++) {
        enum arrival arrival;
        while ((arrival = arrival_at(team->arrived[i], team->member[i], number)) ==
               ARRIVAL_MISSING) {
            TRY(wait_turn(&wait));
        }
        team->came[i] = arrival == ARRIVAL_COME;
        complete = complete && team->came[i];
    }
    return complete ? DM_OK : lost_absent(statement);
}

static enum dm_status meet_far(const char *statement, const void *record, size_t bytes)
{
    TRY(meeting_hold(statement, record, bytes));
    return all_came() ? DM_OK : lost_absent(statement);
}

enum dm_status team_meet(const char *statement)
{
    return current_team->meeting ? meet_far(statement, NULL, 0) : meet_near(statement);
}

static char *told_by(int index)
{
    struct team *team = current_team;
    return team->slot[index]->told[team->told % 2];
}

static enum dm_status tell_near(const void *record, size_t bytes)
{
    current_team->told++;
    memcpy(told_by(current_team->index), record, bytes);
    return meet_near(caf_statement);
}

enum dm_status team_tell(const void *record, size_t bytes)
{
    enum dm_status status =
        current_team->meeting ? meet_far(caf_statement, record, bytes) : tell_near(record, bytes);
    /* Who has failed tells nothing. */
    return status == DM_LOST ? DM_OK : status;
}

const void *team_told(int index)
{
    if (!current_team->came[index])
        return NULL;
    return current_team->meeting ? meeting_told(current_team, index) : told_by(index);
}
