/* pipeline_naive.c: copy everything in, compute, copy everything out, one after the other. */
#include <stdlib.h>

#include "common/harness/exit.h"

#include "pipeline_plan.h"

/* Four events per round: before and after the copies in, after the kernels, after the copies out.
 */
enum { BEGIN, COPIED_IN, COMPUTED, COPIED_OUT, MARKS };

static void prepare(struct pipeline_plan *plan)
{
    long count = plan->region->rounds * MARKS;
    cudaEvent_t *marks = allocate_or_fail((unsigned long)count, sizeof *marks);
    for (long i = 0; i < count; i++)
        check_cuda(cudaEventCreate(&marks[i]));
    plan->own = marks;
}

static void execute(struct pipeline_plan *plan)
{
    cudaEvent_t *marks = plan->own;
    for (long round = 0; round < plan->region->rounds; round++, marks += MARKS) {
        struct pipeline_task task = pipeline_task(plan, round);
        pipeline_issue_record(plan, marks[BEGIN], 0);
        pipeline_issue_copies(plan, &task, PIPELINE_IN);
        pipeline_issue_record(plan, marks[COPIED_IN], 0);
        pipeline_issue_kernels(plan, &task);
        pipeline_issue_record(plan, marks[COMPUTED], 0);
        pipeline_issue_copies(plan, &task, PIPELINE_OUT);
        pipeline_issue_record(plan, marks[COPIED_OUT], 0);
        if (pipeline_pauses(plan, round)) {
            pipeline_issue_finish(plan, 0);
            pipeline_issue_between(plan, round);
        }
    }
    pipeline_issue_finish(plan, 0);
}

static double seconds_between(cudaEvent_t start, cudaEvent_t end)
{
    float milliseconds;
    check_cuda(cudaEventElapsedTime(&milliseconds, start, end));
    return 1e-3 * milliseconds;
}

static void phases(struct pipeline_plan *plan)
{
    const cudaEvent_t *marks = plan->own;
    struct pipeline_report *report = plan->report;
    report->to_device_s = report->kernel_s = report->from_device_s = 0;
    for (long round = 0; round < plan->region->rounds; round++, marks += MARKS) {
        report->to_device_s += seconds_between(marks[BEGIN], marks[COPIED_IN]);
        report->kernel_s += seconds_between(marks[COPIED_IN], marks[COMPUTED]);
        report->from_device_s += seconds_between(marks[COMPUTED], marks[COPIED_OUT]);
    }
}

static void release(struct pipeline_plan *plan)
{
    cudaEvent_t *marks = plan->own;
    for (long i = 0; i < plan->region->rounds * MARKS; i++)
        check_cuda(cudaEventDestroy(marks[i]));
    free(marks);
}

const struct pipeline_method pipeline_naive = {prepare, execute, phases, release};
