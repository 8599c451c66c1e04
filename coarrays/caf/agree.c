#include "agree.h"

#include <stdio.h>
#include <string.h>

#include "error.h"
#include "team.h"

struct verdict {
    int32_t status, reason;
    uint64_t value;
    char sentence[TOLD_BYTES - 16];
};

static struct verdict verdict_of(enum dm_status status, uint64_t value)
{
    struct verdict verdict = {
        .status = (int32_t)status, .reason = (int32_t)caf_reason(), .value = value};
    if (status != DM_OK)
        snprintf(verdict.sentence, sizeof verdict.sentence, "%s", dm_message());
    return verdict;
}

static enum dm_status repeat(const struct verdict *verdict)
{
    enum dm_status status = (enum dm_status)verdict->status;
    return status == DM_INVALID ? invalid((enum caf_reason)verdict->reason, "%s", verdict->sentence)
                                : dm_fail(status, "%s", verdict->sentence);
}

/* ---- by MPI ---- */

static enum dm_status agree_in(MPI_Comm ranks, enum dm_status status, uint64_t value, bool *same)
{
    int rank;
    *same = true;
    TRY_MPI(MPI_Comm_rank(ranks, &rank));
    /* The smallest complement belongs to the largest value. */
    uint64_t smallest[3] = {status != DM_OK ? (uint64_t)rank : UINT64_MAX, value, ~value};
    struct verdict verdict = verdict_of(status, value);
    TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, smallest, 3, MPI_UINT64_T, MPI_MIN, ranks));
    *same = smallest[1] == ~smallest[2];
    if (smallest[0] == UINT64_MAX)
        return DM_OK;
    TRY_MPI(MPI_Bcast(&verdict, sizeof verdict, MPI_BYTE, (int)smallest[0], ranks));
    return repeat(&verdict);
}

/* ---- by meetings of the team: also when images have failed ---- */

static const struct verdict *first_told(void)
{
    for (int i = 1; i <= current_team->images; i++)
        if (team_told(i))
            return team_told(i);
    return NULL;
}

/* `on_node`: what images of other nodes tell does not count. */
static enum dm_status agree_by_telling(enum dm_status status, uint64_t value, bool *same,
                                       bool on_node)
{
    struct verdict mine = verdict_of(status, value);
    *same = true;
    TRY(team_tell(&mine, sizeof mine));
    const struct verdict *first = first_told(), *bad = NULL;
    for (int i = current_team->images; i >= 1; i--) {
        const struct verdict *verdict = team_told(i);
        if (!verdict || (on_node && !caf_is_near(current_team->member[i])))
            continue;
        *same = *same && verdict->value == first->value;
        bad = verdict->status != DM_OK ? verdict : bad;
    }
    return bad ? repeat(bad) : DM_OK;
}

/* Before there is shared memory, and between nodes. */
static bool by_mpi(void)
{
    return runtime.by_mpi || !current_team->slot;
}

enum dm_status agree_same(enum dm_status status, uint64_t value, bool *same)
{
    return by_mpi() ? agree_in(current_team->all, status, value, same)
                    : agree_by_telling(status, value, same, false);
}

enum dm_status agree_on_node(enum dm_status status)
{
    bool same;
    return by_mpi() ? agree_in(current_team->on_node, status, 0, &same)
                    : agree_by_telling(status, 0, &same, true);
}

enum dm_status agree(enum dm_status status)
{
    bool same;
    return agree_same(status, 0, &same);
}

enum dm_status agree_first(uint64_t *value)
{
    bool same;
    if (!by_mpi()) {
        TRY(agree_by_telling(DM_OK, *value, &same, false));
        *value = first_told()->value;
        return DM_OK;
    }
    TRY_MPI(MPI_Bcast(value, 1, MPI_UINT64_T, 0, current_team->all));
    return DM_OK;
}
