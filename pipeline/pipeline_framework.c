/* pipeline_framework.c: chunks through ring buffers, with exact waits between streams.
 *
 * pipeline_waits.c says what a stage depends on. Here each dependence becomes a
 * cudaStreamWaitEvent, unless it is implied: by the order of the own stream, or by an earlier wait
 * for a later stage of the same stream. When a plan is opened the run is rehearsed without the GPU,
 * to find out which stages are ever waited for: only these record an event, and only as many events
 * are made as are needed at a time. */
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

#include "pipeline_plan.h"

/* A position counts the stages of all tasks; those of one stream are in its order. */
struct order {
    bool rehearsal;
    long drained; /* the host has waited for all positions below */
    long *waited; /* [streams][streams], copies' streams included: latest wait of one for another */
    unsigned char *awaited; /* per task: bit `stage` is set if somebody waits for it */
    long depth;             /* events per stage */
    cudaEvent_t *events[PIPELINE_STAGES]; /* of task t: t mod depth; NULL if nobody ever waits */
};

/* Where a stage of a task is enqueued. Each direction has one stream for its copies, so that they
 * are made in the order of the chunks: with several streams a GPU with several copy engines would
 * share the link among chunks, and the first would arrive as late as the last. Two streams are
 * enough to have the next kernels ready when one chunk's end. */
static int stream_of(const struct pipeline_plan *plan, long task, enum pipeline_stage stage)
{
    int kernel_streams = plan->stream_count - 2;
    if (stage == PIPELINE_KERNEL)
        return (int)(task % kernel_streams);
    return stage == PIPELINE_IN ? kernel_streams : kernel_streams + 1;
}

static struct pipeline_task task_in_stage(const struct pipeline_plan *plan, long number,
                                          enum pipeline_stage stage)
{
    struct pipeline_task task = pipeline_task(plan, number);
    task.stream = stream_of(plan, number, stage);
    return task;
}

/* ---- waits ---- */

static void note(struct order *order, long task, long awaited, enum pipeline_stage stage)
{
    order->awaited[awaited] |= (unsigned char)(1u << stage);
    if (order->depth < task - awaited + 1)
        order->depth = task - awaited + 1;
}

static void wait_for(struct pipeline_plan *plan, const struct pipeline_task *task, long awaited,
                     enum pipeline_stage stage)
{
    struct order *order = plan->own;
    int other = stream_of(plan, awaited, stage);
    long position = awaited * PIPELINE_STAGES + stage;
    long *latest = &order->waited[task->stream * plan->stream_count + other];
    if (other == task->stream || position < order->drained || position <= *latest)
        return;
    *latest = position;
    if (order->rehearsal)
        note(order, task->number, awaited, stage);
    else
        pipeline_issue_wait(plan, order->events[stage][awaited % order->depth], task->stream);
}

/* The latest tasks first, one per stream: each implies the earlier ones of its stream. */
static void wait_for_all(struct pipeline_plan *plan, const struct pipeline_task *task,
                         struct pipeline_wait wait)
{
    for (long t = wait.last; t >= wait.first && t > wait.last - plan->streams; t--)
        wait_for(plan, task, t, wait.stage);
}

/* ---- a task ---- */

static void issue(struct pipeline_plan *plan, const struct pipeline_task *task,
                  enum pipeline_stage stage)
{
    struct order *order = plan->own;
    if (stage == PIPELINE_KERNEL)
        pipeline_issue_kernels(plan, task);
    else
        pipeline_issue_copies(plan, task, stage);
    if (order->awaited[task->number] & (1u << stage))
        pipeline_issue_record(plan, order->events[stage][task->number % order->depth],
                              task->stream);
}

static void execute_stage(struct pipeline_plan *plan, long number, enum pipeline_stage stage)
{
    struct order *order = plan->own;
    struct pipeline_task task = task_in_stage(plan, number, stage);
    struct pipeline_wait waits[PIPELINE_WAITS_MAX];
    int count = pipeline_waits(&plan->schedule, number, stage, waits);
    for (int i = 0; i < count; i++)
        wait_for_all(plan, &task, waits[i]);
    if (!order->rehearsal)
        issue(plan, &task, stage);
}

/* The host waits for all tasks up to `last`: copies out are in order on their stream, and kernels
 * have waited for the copies in. */
static void drain(struct pipeline_plan *plan, long last)
{
    struct order *order = plan->own;
    struct pipeline_task task = task_in_stage(plan, last, PIPELINE_OUT);
    wait_for_all(plan, &task, (struct pipeline_wait){PIPELINE_KERNEL, 0, last});
    if (!order->rehearsal)
        pipeline_issue_finish(plan, task.stream);
    order->drained = (last + 1) * PIPELINE_STAGES;
}

static void execute_round(struct pipeline_plan *plan, long round)
{
    struct order *order = plan->own;
    long chunks = plan->schedule.chunks.count;
    for (long number = round * chunks; number < (round + 1) * chunks; number++)
        for (enum pipeline_stage stage = PIPELINE_IN; stage < PIPELINE_STAGES; stage++)
            execute_stage(plan, number, stage);
    if (!pipeline_pauses(plan, round))
        return;
    drain(plan, (round + 1) * chunks - 1);
    if (!order->rehearsal)
        pipeline_issue_between(plan, round);
}

static void execute(struct pipeline_plan *plan)
{
    struct order *order = plan->own;
    long tasks = plan->region->rounds * plan->schedule.chunks.count;
    order->drained = 0;
    memset(order->waited, -1,
           sizeof *order->waited * (size_t)(plan->stream_count * plan->stream_count));
    for (long round = 0; round < plan->region->rounds; round++)
        execute_round(plan, round);
    drain(plan, tasks - 1);
}

/* ---- life of a plan ---- */

static void create_events(struct order *order, long tasks)
{
    unsigned char awaited = 0;
    for (long t = 0; t < tasks; t++)
        awaited |= order->awaited[t];
    for (int stage = 0; stage < PIPELINE_STAGES; stage++) {
        if (!(awaited & (1u << stage)))
            continue;
        order->events[stage] = allocate_or_fail((unsigned long)order->depth, sizeof(cudaEvent_t));
        for (long i = 0; i < order->depth; i++)
            order->events[stage][i] = pipeline_event_create();
    }
}

static void prepare(struct pipeline_plan *plan)
{
    long tasks = plan->region->rounds * plan->schedule.chunks.count;
    struct order *order = allocate_or_fail(1, sizeof *order);
    order->waited = allocate_or_fail((unsigned long)(plan->stream_count * plan->stream_count),
                                     sizeof *order->waited);
    order->awaited = allocate_or_fail((unsigned long)tasks, sizeof *order->awaited);
    plan->own = order;
    order->rehearsal = true;
    execute(plan);
    order->rehearsal = false;
    create_events(order, tasks);
}

static void release(struct pipeline_plan *plan)
{
    struct order *order = plan->own;
    for (int stage = 0; stage < PIPELINE_STAGES; stage++) {
        for (long i = 0; order->events[stage] && i < order->depth; i++)
            check_cuda(cudaEventDestroy(order->events[stage][i]));
        free(order->events[stage]);
    }
    free(order->waited);
    free(order->awaited);
    free(order);
}

const struct pipeline_method pipeline_framework = {prepare, execute, NULL, release};
