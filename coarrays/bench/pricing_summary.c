#include "pricing_summary.h"

#include <math.h>
#include <stdlib.h>
#include <mpi.h>

#include "common/harness/exit.h"

#include "images.h"

struct pricing_summary pricing_summarize(const struct pricing_job *job)
{
    struct part {
        struct pricing_account account;
        int per_request;
    } own = {job->account, job->sizes.settled};
    struct part *all = allocate_or_fail((size_t)ranks.count, sizeof *all);
    check_mpi(MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, MPI_COMM_WORLD));
    int last = ranks.count - 1;
    struct pricing_summary summary = {.first_communication_s =
                                          all[last > 0].account.communication_s,
                                      .last_communication_s = all[last].account.communication_s,
                                      .last_per_request = all[last].per_request};
    for (int i = 0; i <= last; i++) {
        summary.wait_s = fmax(summary.wait_s, all[i].account.wait_s);
        summary.communication_s = fmax(summary.communication_s, all[i].account.communication_s);
        summary.requests += all[i].account.requests;
    }
    free(all);
    return summary;
}
