/* copies_naive.c: copy everything in, compute, copy everything out, one after the other. */
#include "common/error.h"

#include "common/regions/copies_plan.h"

/* Four events per round: before and after the copies in, after the kernels, after the copies out.
 */
enum { BEGIN, COPIED_IN, COMPUTED, COPIED_OUT, MARKS };

static enum dm_status prepare(struct copies_plan *plan)
{
    cudaEvent_t *marks;
    enum dm_status status = copies_events_create(&marks, plan->region->rounds * MARKS, true);
    plan->own = marks;
    return status;
}

static enum dm_status execute_round(struct copies_plan *plan, long round, const cudaEvent_t *marks)
{
    struct copies_task task = copies_task(plan, round);
    TRY(copies_issue_record(plan, marks[BEGIN], 0));
    TRY(copies_issue_copies(plan, &task, COPIES_IN));
    TRY(copies_issue_record(plan, marks[COPIED_IN], 0));
    TRY(copies_issue_kernels(plan, &task));
    TRY(copies_issue_record(plan, marks[COMPUTED], 0));
    TRY(copies_issue_copies(plan, &task, COPIES_OUT));
    TRY(copies_issue_record(plan, marks[COPIED_OUT], 0));
    if (copies_pauses(plan, round)) {
        TRY(copies_issue_finish(plan, 0));
        copies_issue_between(plan, round);
    }
    return DM_OK;
}

static enum dm_status execute(struct copies_plan *plan)
{
    const cudaEvent_t *marks = plan->own;
    for (long round = 0; round < plan->region->rounds; round++, marks += MARKS)
        TRY(execute_round(plan, round, marks));
    return copies_issue_finish(plan, 0);
}

static enum dm_status phases(struct copies_plan *plan)
{
    const cudaEvent_t *marks = plan->own;
    double sums_s[MARKS - 1] = {0};
    for (long round = 0; round < plan->region->rounds; round++, marks += MARKS)
        for (int phase = 0; phase < MARKS - 1; phase++) {
            double seconds;
            TRY(copies_seconds_between(marks[phase], marks[phase + 1], &seconds));
            sums_s[phase] += seconds;
        }
    plan->report->to_device_s = sums_s[BEGIN];
    plan->report->kernel_s = sums_s[COPIED_IN];
    plan->report->from_device_s = sums_s[COMPUTED];
    return DM_OK;
}

static void release(struct copies_plan *plan)
{
    copies_events_release(plan->own, plan->region->rounds * MARKS);
}

const struct copies_method copies_naive = {prepare, execute, phases, release};
