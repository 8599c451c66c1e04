/* copies_rings.c: chunks through ring buffers, with exact waits between streams.
 *
 * waits.c says what a stage depends on. Here each dependence becomes a cudaStreamWaitEvent, unless
 * it is implied by the order of the stage's own stream, or by an earlier wait for a later stage of
 * the other stream. When a plan is opened the run is rehearsed without the GPU, to find out which
 * stages are ever waited for: only these record an event, and no more events are made than are
 * needed at a time. */
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "common/regions/copies_plan.h"

/* A position counts the stages of all tasks; those of one stream are in its order. */
struct order {
    bool rehearsal;
    long drained; /* the host has waited for all positions below */
    long *waited; /* [streams][streams], copies' streams included: latest wait of one for another */
    unsigned char *awaited;             /* per task: bit `stage` is set if any stage waits for it */
    long depth;                         /* events per stage */
    cudaEvent_t *events[COPIES_STAGES]; /* of task t: t mod depth; NULL if none is waited for */
};

/* Where a stage of a task is enqueued. Each direction has one stream for its copies, so that they
 * are made in the order of the chunks: with several streams a GPU with several copy engines would
 * share the link among chunks, and the first would arrive as late as the last. Two streams are
 * enough to have the next kernels ready when one chunk's end. */
static int stream_of(const struct copies_plan *plan, long task, enum copies_stage stage)
{
    int kernel_streams = plan->stream_count - 2;
    if (stage == COPIES_KERNEL)
        return (int)(task % kernel_streams);
    return stage == COPIES_IN ? kernel_streams : kernel_streams + 1;
}

static struct copies_task task_in_stage(const struct copies_plan *plan, long number,
                                        enum copies_stage stage)
{
    struct copies_task task = copies_task(plan, number);
    task.stream = stream_of(plan, number, stage);
    return task;
}

/* ---- waits ---- */

static void note(struct order *order, long task, long awaited, enum copies_stage stage)
{
    order->awaited[awaited] |= (unsigned char)(1u << stage);
    if (order->depth < task - awaited + 1)
        order->depth = task - awaited + 1;
}

static enum dm_status wait_for(struct copies_plan *plan, const struct copies_task *task,
                               long awaited, enum copies_stage stage)
{
    struct order *order = plan->own;
    int other = stream_of(plan, awaited, stage);
    long position = awaited * COPIES_STAGES + stage;
    long *latest = &order->waited[task->stream * plan->stream_count + other];
    if (other == task->stream || position < order->drained || position <= *latest)
        return DM_OK;
    *latest = position;
    if (!order->rehearsal)
        return copies_issue_wait(plan, order->events[stage][awaited % order->depth], task->stream);
    note(order, task->number, awaited, stage);
    return DM_OK;
}

/* The latest tasks first, one per stream: each implies the earlier ones of its stream. */
static enum dm_status wait_for_all(struct copies_plan *plan, const struct copies_task *task,
                                   struct copies_wait wait)
{
    for (long t = wait.last; t >= wait.first && t > wait.last - plan->streams; t--)
        TRY(wait_for(plan, task, t, wait.stage));
    return DM_OK;
}

/* ---- a task ---- */

static enum dm_status issue(struct copies_plan *plan, const struct copies_task *task,
                            enum copies_stage stage)
{
    struct order *order = plan->own;
    if (stage == COPIES_KERNEL)
        TRY(copies_issue_kernels(plan, task));
    else
        TRY(copies_issue_copies(plan, task, stage));
    if (order->awaited[task->number] & (1u << stage))
        TRY(copies_issue_record(plan, order->events[stage][task->number % order->depth],
                                task->stream));
    return stage == COPIES_OUT ? copies_issue_end_in_sight(plan, task) : DM_OK;
}

static enum dm_status execute_stage(struct copies_plan *plan, long number, enum copies_stage stage)
{
    struct order *order = plan->own;
    struct copies_task task = task_in_stage(plan, number, stage);
    struct copies_wait waits[COPIES_WAITS_MAX];
    int count = copies_waits(&plan->schedule, number, stage, waits);
    for (int i = 0; i < count; i++)
        TRY(wait_for_all(plan, &task, waits[i]));
    return order->rehearsal ? DM_OK : issue(plan, &task, stage);
}

/* The host waits for all tasks up to `last`: copies out are in order on their stream, and kernels
 * have waited for the copies in. */
static enum dm_status drain(struct copies_plan *plan, long last)
{
    struct order *order = plan->own;
    struct copies_task task = task_in_stage(plan, last, COPIES_OUT);
    TRY(wait_for_all(plan, &task, (struct copies_wait){COPIES_KERNEL, 0, last}));
    if (!order->rehearsal)
        TRY(copies_issue_finish(plan, task.stream));
    order->drained = (last + 1) * COPIES_STAGES;
    return DM_OK;
}

static enum dm_status execute_round(struct copies_plan *plan, long round)
{
    struct order *order = plan->own;
    long chunks = plan->schedule.chunks.count;
    for (long number = round * chunks; number < (round + 1) * chunks; number++)
        for (enum copies_stage stage = COPIES_IN; stage < COPIES_STAGES; stage++)
            TRY(execute_stage(plan, number, stage));
    if (!copies_pauses(plan, round))
        return DM_OK;
    TRY(drain(plan, (round + 1) * chunks - 1));
    if (!order->rehearsal)
        copies_issue_between(plan, round);
    return DM_OK;
}

static enum dm_status execute(struct copies_plan *plan)
{
    struct order *order = plan->own;
    long tasks = plan->region->rounds * plan->schedule.chunks.count;
    order->drained = 0;
    memset(order->waited, -1,
           sizeof *order->waited * (size_t)(plan->stream_count * plan->stream_count));
    for (long round = 0; round < plan->region->rounds; round++)
        TRY(execute_round(plan, round));
    return drain(plan, tasks - 1);
}

/* ---- life of a plan ---- */

static enum dm_status create_events(struct order *order, long tasks)
{
    unsigned char awaited = 0;
    for (long t = 0; t < tasks; t++)
        awaited |= order->awaited[t];
    for (int stage = 0; stage < COPIES_STAGES; stage++)
        if (awaited & (1u << stage))
            TRY(copies_events_create(&order->events[stage], order->depth, false));
    return DM_OK;
}

static enum dm_status prepare(struct copies_plan *plan)
{
    long tasks = plan->region->rounds * plan->schedule.chunks.count;
    size_t pairs = (size_t)(plan->stream_count * plan->stream_count);
    struct order *order = calloc(1, sizeof *order);
    if (!order)
        return error_no_memory(sizeof *order);
    plan->own = order;
    order->waited = calloc(pairs, sizeof *order->waited);
    order->awaited = calloc((size_t)tasks, sizeof *order->awaited);
    if (!order->waited || !order->awaited)
        return error_no_memory((size_t)tasks * sizeof *order->awaited);
    order->rehearsal = true;
    TRY(execute(plan));
    order->rehearsal = false;
    return create_events(order, tasks);
}

static void release(struct copies_plan *plan)
{
    struct order *order = plan->own;
    if (!order)
        return;
    for (int stage = 0; stage < COPIES_STAGES; stage++)
        copies_events_release(order->events[stage], order->depth);
    free(order->waited);
    free(order->awaited);
    free(order);
}

const struct copies_method copies_rings = {prepare, execute, NULL, release};
