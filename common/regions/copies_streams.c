/* copies_streams.c: whole arrays on the device, chunks on streams in turn, as one would write it by
 * hand.
 *
 * A chunk's kernels wait for the copies of the neighbours whose slices they read. Nothing is ever
 * overwritten within a round; rounds are kept apart by joining all streams. */
#include <stdlib.h>

#include "common/error.h"

#include "common/regions/copies_plan.h"

struct by_hand {
    long reach;            /* chunks back from which a chunk needs slices */
    cudaEvent_t *arrived;  /* of the last reach + 1 tasks: their copies in are done */
    cudaEvent_t *computed; /* one: the latest chunk's kernels are done, if chunks are chained */
    cudaEvent_t *joined;   /* of each stream */
};

static long reach_of(const struct copies_plan *plan)
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

static enum dm_status prepare(struct copies_plan *plan)
{
    struct by_hand *own = calloc(1, sizeof *own);
    if (!own)
        return error_no_memory(sizeof *own);
    plan->own = own;
    own->reach = reach_of(plan);
    TRY(copies_events_create(&own->arrived, own->reach + 1, false));
    TRY(copies_events_create(&own->computed, 1, false));
    return copies_events_create(&own->joined, plan->streams, false);
}

/* ---- all streams after one, and one after all ---- */

static enum dm_status fork_from(struct copies_plan *plan, int from)
{
    struct by_hand *own = plan->own;
    if (plan->streams > 1)
        TRY(copies_issue_record(plan, own->joined[from], from));
    for (int s = 0; s < plan->streams; s++)
        if (s != from)
            TRY(copies_issue_wait(plan, own->joined[from], s));
    return DM_OK;
}

static enum dm_status join_to(struct copies_plan *plan, int to)
{
    struct by_hand *own = plan->own;
    for (int s = 0; s < plan->streams; s++)
        if (s != to) {
            TRY(copies_issue_record(plan, own->joined[s], s));
            TRY(copies_issue_wait(plan, own->joined[s], to));
        }
    return DM_OK;
}

/* ---- a round ---- */

static enum dm_status copy(struct copies_plan *plan, const struct copies_task *task,
                           enum copies_stage stage, bool whole)
{
    for (int a = 0; a < plan->region->array_count; a++)
        if ((plan->region->arrays[a].split == DM_REGION_WHOLE) == whole)
            TRY(copies_issue_copy(plan, task, stage, a));
    return DM_OK;
}

static enum dm_status wait_for_neighbours(struct copies_plan *plan, const struct copies_task *task)
{
    struct by_hand *own = plan->own;
    long back = own->reach < task->chunk ? own->reach : task->chunk;
    for (long number = task->number - back; number < task->number; number++)
        if (copies_task(plan, number).stream != task->stream)
            TRY(copies_issue_wait(plan, own->arrived[number % (own->reach + 1)], task->stream));
    return DM_OK;
}

static enum dm_status execute_chunk(struct copies_plan *plan, const struct copies_task *task)
{
    struct by_hand *own = plan->own;
    TRY(copy(plan, task, COPIES_IN, false));
    if (own->reach > 0)
        TRY(copies_issue_record(plan, own->arrived[task->number % (own->reach + 1)], task->stream));
    TRY(wait_for_neighbours(plan, task));
    if (plan->schedule.chunks.chained && task->chunk > 0)
        TRY(copies_issue_wait(plan, own->computed[0], task->stream));
    TRY(copies_issue_kernels(plan, task));
    if (plan->schedule.chunks.chained)
        TRY(copies_issue_record(plan, own->computed[0], task->stream));
    TRY(copy(plan, task, COPIES_OUT, false));
    return copies_issue_end_in_sight(plan, task);
}

/* The stream on which the rounds meet. */
enum { JOINT = 0 };

static enum dm_status execute_round(struct copies_plan *plan, long round)
{
    long chunks = plan->schedule.chunks.count;
    struct copies_task first = copies_task(plan, round * chunks);
    struct copies_task last = copies_task(plan, round * chunks + chunks - 1);
    first.stream = last.stream = JOINT;
    TRY(copy(plan, &first, COPIES_IN, true));
    TRY(fork_from(plan, JOINT));
    for (long chunk = 0; chunk < chunks; chunk++) {
        struct copies_task task = copies_task(plan, round * chunks + chunk);
        TRY(execute_chunk(plan, &task));
    }
    TRY(join_to(plan, JOINT));
    TRY(copy(plan, &last, COPIES_OUT, true));
    if (copies_pauses(plan, round)) {
        TRY(copies_issue_finish(plan, JOINT));
        copies_issue_between(plan, round);
    }
    return DM_OK;
}

static enum dm_status execute(struct copies_plan *plan)
{
    for (long round = 0; round < plan->region->rounds; round++)
        TRY(execute_round(plan, round));
    return copies_issue_finish(plan, JOINT);
}

static void release(struct copies_plan *plan)
{
    struct by_hand *own = plan->own;
    if (!own)
        return;
    copies_events_release(own->arrived, own->reach + 1);
    copies_events_release(own->computed, 1);
    copies_events_release(own->joined, plan->streams);
    free(own);
}

const struct copies_method copies_streams = {prepare, execute, NULL, release};
