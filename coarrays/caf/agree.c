#include "agree.h"

#include <stdio.h>
#include <mpi.h>

#include "error.h"
#include "runtime.h"

struct verdict {
    int32_t status, reason;
    char sentence[504];
};

/* Those who agree: all images, or those of a node. */
struct circle {
    MPI_Comm ranks;
    int rank;
};

static struct circle all_images(void)
{
    return (struct circle){runtime.all, runtime.image - 1};
}

static enum dm_status spread_verdict(struct circle circle, int rank, enum dm_status status)
{
    struct verdict verdict = {.status = (int32_t)status, .reason = (int32_t)caf_reason()};
    if (rank == circle.rank)
        snprintf(verdict.sentence, sizeof verdict.sentence, "%s", dm_message());
    TRY_MPI(MPI_Bcast(&verdict, sizeof verdict, MPI_BYTE, rank, circle.ranks));
    status = (enum dm_status)verdict.status;
    return status == DM_INVALID ? invalid((enum caf_reason)verdict.reason, "%s", verdict.sentence)
                                : dm_fail(status, "%s", verdict.sentence);
}

static enum dm_status agree_in(struct circle circle, enum dm_status status, uint64_t value,
                               bool *same)
{
    /* The smallest complement belongs to the largest value. */
    uint64_t smallest[3] = {status != DM_OK ? (uint64_t)circle.rank : UINT64_MAX, value, ~value};
    *same = true;
    TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, smallest, 3, MPI_UINT64_T, MPI_MIN, circle.ranks));
    *same = smallest[1] == ~smallest[2];
    return smallest[0] == UINT64_MAX ? DM_OK : spread_verdict(circle, (int)smallest[0], status);
}

enum dm_status agree_same(enum dm_status status, uint64_t value, bool *same)
{
    return agree_in(all_images(), status, value, same);
}

enum dm_status agree_on_node(enum dm_status status)
{
    bool same;
    return agree_in((struct circle){runtime.on_node, runtime.place_of[runtime.image]}, status, 0,
                    &same);
}

enum dm_status agree(enum dm_status status)
{
    bool same;
    return agree_same(status, 0, &same);
}

enum dm_status agree_first(uint64_t *value)
{
    TRY_MPI(MPI_Bcast(value, 1, MPI_UINT64_T, 0, runtime.all));
    return DM_OK;
}
