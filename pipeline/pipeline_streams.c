/* pipeline_streams.c: whole arrays on the device, chunks on streams in turn, as one would write it
 * by hand.
 *
 * A chunk's kernels wait for the copies of the neighbours whose slices they read. Nothing is ever
 * overwritten within a round; rounds are kept apart by joining all streams. */
#include <stdlib.h>

#include "common/harness/exit.h"

#include "pipeline_plan.h"

struct by_hand {
    long reach;           /* chunks back from which a chunk needs slices */
    cudaEvent_t *arrived; /* of the last reach + 1 tasks: their copies in are done */
    cudaEvent_t computed; /* the latest chunk's kernels are done, if chunks are chained */
    cudaEvent_t joined[PIPELINE_STREAMS_MAX];
};

static long reach_of(const struct pipeline_plan *plan)
{
    long length = 1, size = plan->schedule.chunks.size;
    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        if (array->direction & DM_REGION_TO && array->split != DM_REGION_WHOLE &&
            array->length > length)
            length = array->length;
    }
    return (length - 1 + size - 1) / size;
}

static void prepare(struct pipeline_plan *plan)
{
    struct by_hand *own = allocate_or_fail(1, sizeof *own);
    own->reach = reach_of(plan);
    own->arrived = allocate_or_fail((unsigned long)own->reach + 1, sizeof *own->arrived);
    for (long i = 0; i <= own->reach; i++)
        own->arrived[i] = pipeline_event_create();
    own->computed = pipeline_event_create();
    for (int s = 0; s < plan->streams; s++)
        own->joined[s] = pipeline_event_create();
    plan->own = own;
}

/* ---- all streams after one, and one after all ---- */

static void fork_from(struct pipeline_plan *plan, int from)
{
    struct by_hand *own = plan->own;
    if (plan->streams > 1)
        pipeline_issue_record(plan, own->joined[from], from);
    for (int s = 0; s < plan->streams; s++)
        if (s != from)
            pipeline_issue_wait(plan, own->joined[from], s);
}

static void join_to(struct pipeline_plan *plan, int to)
{
    struct by_hand *own = plan->own;
    for (int s = 0; s < plan->streams; s++)
        if (s != to) {
            pipeline_issue_record(plan, own->joined[s], s);
            pipeline_issue_wait(plan, own->joined[s], to);
        }
}

/* ---- a round ---- */

static void copy(struct pipeline_plan *plan, const struct pipeline_task *task,
                 enum pipeline_stage stage, bool whole)
{
    for (int a = 0; a < plan->region->array_count; a++)
        if ((plan->region->arrays[a].split == DM_REGION_WHOLE) == whole)
            pipeline_issue_copy(plan, task, stage, a);
}

static void wait_for_neighbours(struct pipeline_plan *plan, const struct pipeline_task *task)
{
    struct by_hand *own = plan->own;
    long back = own->reach < task->chunk ? own->reach : task->chunk;
    for (long number = task->number - back; number < task->number; number++)
        if (pipeline_task(plan, number).stream != task->stream)
            pipeline_issue_wait(plan, own->arrived[number % (own->reach + 1)], task->stream);
}

static void execute_chunk(struct pipeline_plan *plan, const struct pipeline_task *task)
{
    struct by_hand *own = plan->own;
    copy(plan, task, PIPELINE_IN, false);
    if (own->reach > 0)
        pipeline_issue_record(plan, own->arrived[task->number % (own->reach + 1)], task->stream);
    wait_for_neighbours(plan, task);
    if (plan->schedule.chunks.chained && task->chunk > 0)
        pipeline_issue_wait(plan, own->computed, task->stream);
    pipeline_issue_kernels(plan, task);
    if (plan->schedule.chunks.chained)
        pipeline_issue_record(plan, own->computed, task->stream);
    copy(plan, task, PIPELINE_OUT, false);
}

static void execute(struct pipeline_plan *plan)
{
    long chunks = plan->schedule.chunks.count;
    int joint = 0; /* the stream on which the rounds meet */
    for (long round = 0; round < plan->region->rounds; round++) {
        struct pipeline_task first = pipeline_task(plan, round * chunks);
        struct pipeline_task last = pipeline_task(plan, round * chunks + chunks - 1);
        first.stream = last.stream = joint;
        copy(plan, &first, PIPELINE_IN, true);
        fork_from(plan, joint);
        for (long chunk = 0; chunk < chunks; chunk++) {
            struct pipeline_task task = pipeline_task(plan, round * chunks + chunk);
            execute_chunk(plan, &task);
        }
        join_to(plan, joint);
        copy(plan, &last, PIPELINE_OUT, true);
        if (pipeline_pauses(plan, round)) {
            pipeline_issue_finish(plan, joint);
            pipeline_issue_between(plan, round);
        }
    }
    pipeline_issue_finish(plan, joint);
}

static void release(struct pipeline_plan *plan)
{
    struct by_hand *own = plan->own;
    for (long i = 0; i <= own->reach; i++)
        check_cuda(cudaEventDestroy(own->arrived[i]));
    check_cuda(cudaEventDestroy(own->computed));
    for (int s = 0; s < plan->streams; s++)
        check_cuda(cudaEventDestroy(own->joined[s]));
    free(own->arrived);
    free(own);
}

const struct pipeline_method pipeline_streams = {prepare, execute, NULL, release};
