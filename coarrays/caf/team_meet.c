/* How images of a team on one node meet, and tell one another. */
#include <string.h>

#include "error.h"
#include "sync.h"
#include "team.h"
#include "wait.h"

enum dm_status team_meet(const char *statement)
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
    return complete ? DM_OK : lost_image(statement);
}

static char *told_by(int index)
{
    struct team *team = current_team;
    return team->slot[index]->told[team->told % 2];
}

enum dm_status team_tell(const void *record, size_t bytes)
{
    const char *statement = caf_statement;
    current_team->told++;
    memcpy(told_by(current_team->index), record, bytes);
    enum dm_status status = team_meet(statement);
    /* Who has failed tells nothing. */
    return status == DM_LOST ? DM_OK : status;
}

const void *team_told(int index)
{
    return current_team->came[index] ? told_by(index) : NULL;
}
