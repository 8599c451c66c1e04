#include "ends.h"

#include <stdio.h>

double wait_limit_s = 30.0;

void fail_together(const char *sentence)
{
    if (ranks.rank != 0)
        ranks.barrier();
    fail("%s", sentence);
}

void need_two_ranks(void)
{
    char sentence[128];
    snprintf(sentence, sizeof sentence,
             "blocks go between two ranks, and there %s %d: start it with mpirun -np 2",
             ranks.count == 1 ? "is" : "are", ranks.count);
    if (ranks.count != 2)
        fail_together(sentence);
}

bool is_possible(struct run *run, enum dm_status status, const char *variant, bool *is_waived)
{
    if (status != DM_UNAVAILABLE)
        check_status(status);
    else if (!*is_waived)
        record_waived(run, variant, dm_message());
    *is_waived |= status != DM_OK;
    return status == DM_OK;
}

/* A server without a GPU may not be permitted to lock its pages. */
static void note_unlocked(const struct rdma_end *end)
{
    static bool is_said;
    if (!rdma_buffers_are_locked(end) && !is_said) {
        fprintf(stderr,
                "note: rank %d, which has no GPU, may not lock its pages (ulimit -l): its buffers "
                "are resident, but not page-locked\n",
                ranks.rank);
        is_said = true;
    }
}

struct rdma_end *open_end(const struct rdma_config *config)
{
    static char activity[80];
    struct rdma_end *end;
    const char *before = status_activity;
    snprintf(activity, sizeof activity, "the opening of path %s", rdma_path_name(config->path));
    status_activity = activity;
    check_status(rdma_open(&end, config));
    status_activity = before;
    note_unlocked(end);
    return end;
}

void start_send(struct rdma_end *end, size_t bytes)
{
    check_status(rdma_start_send(end, bytes));
}

void start_receive(struct rdma_end *end, size_t bytes)
{
    check_status(rdma_start_receive(end, bytes));
}

void wait_for_blocks(struct rdma_end *end)
{
    static char activities[RDMA_PATHS][80];
    const char *before = status_activity;
    char *activity = activities[rdma_end_path(end)];
    if (!*activity)
        snprintf(activity, sizeof activities[0], "a wait for rank %d (path %s)", 1 - ranks.rank,
                 rdma_path_name(rdma_end_path(end)));
    status_activity = activity;
    check_status(rdma_wait(end));
    status_activity = before;
}

void name_variants(struct variant *variants, enum rdma_path first, int count)
{
    for (int i = 0; i < count; i++) {
        enum rdma_path path = (enum rdma_path)((int)first + i);
        variants[i] = (struct variant){rdma_path_name(path), rdma_path_meaning(path)};
    }
}
