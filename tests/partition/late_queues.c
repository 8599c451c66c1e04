/* late_queues.c: calls that wait in their streams until they are made. */
#include "late_queues.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/random.h"

#include "late_driver.h"

enum { STREAMS_MAX = 64, EVENTS_MAX = 256 };

struct queue {
    CUstream stream;
    struct late_call *first, **end;
    uint64_t rank; /* the lowest goes on first */
};

struct known_event {
    CUevent event;
    uint64_t asked, made; /* records */
};

static struct queue queues[STREAMS_MAX];
static struct known_event events[EVENTS_MAX];
static int queue_count, event_count;
static uint64_t seed, drawn;
static unsigned haste; /* of 8 calls, so many make one that waits go on */
static bool good;

static uint64_t below(uint64_t bound)
{
    return random_below(seed, drawn++, bound);
}

static struct queue *queue_of(CUstream stream)
{
    for (int i = 0; i < queue_count; i++)
        if (queues[i].stream == stream)
            return &queues[i];
    if (queue_count == STREAMS_MAX)
        abort();
    struct queue *queue = &queues[queue_count++];
    *queue = (struct queue){.stream = stream, .end = &queue->first, .rank = below(1 << 20)};
    return queue;
}

static struct known_event *event_of(CUevent event)
{
    for (int i = 0; i < event_count; i++)
        if (events[i].event == event)
            return &events[i];
    if (event_count == EVENTS_MAX)
        abort();
    events[event_count] = (struct known_event){.event = event};
    return &events[event_count++];
}

static bool is_record(const struct late_call *call)
{
    return call->event && call->run;
}

static bool may_go_on(const struct queue *queue)
{
    const struct late_call *call = queue->first;
    if (!call)
        return false;
    return !call->event || call->run || event_of(call->event)->made >= call->record;
}

static struct queue *next_queue(void)
{
    struct queue *next = NULL;
    if (!below(8))
        for (int i = 0; i < queue_count; i++)
            queues[i].rank = below(1 << 20);
    for (int i = 0; i < queue_count; i++)
        if (may_go_on(&queues[i]) && (!next || queues[i].rank < next->rank))
            next = &queues[i];
    return next;
}

static void make_call(const struct late_call *call)
{
    CUcontext current = NULL;
    late_plain.cuCtxGetCurrent(&current);
    late_plain.cuCtxSetCurrent(call->context);
    CUresult result = call->run(call);
    if (result == CUDA_SUCCESS)
        result = late_plain.cuStreamSynchronize(call->stream);
    if (result != CUDA_SUCCESS)
        fprintf(stderr, "late driver: error %d in call of event %p stream %p\n", (int)result,
                (void *)call->event, (void *)call->stream);
    good = good && result == CUDA_SUCCESS;
    late_plain.cuCtxSetCurrent(current);
}

/* One call of any stream; false if none may go on. */
static bool step(void)
{
    struct queue *queue = next_queue();
    if (!queue)
        return false;
    struct late_call *call = queue->first;
    queue->first = call->next;
    if (!queue->first)
        queue->end = &queue->first;
    if (call->run)
        make_call(call);
    if (is_record(call))
        event_of(call->event)->made = call->record;
    free(call);
    return true;
}

CUresult late_keep(const struct late_call *call)
{
    struct late_call *kept = malloc(sizeof *kept);
    if (!kept)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *kept = *call;
    kept->next = NULL;
    late_plain.cuCtxGetCurrent(&kept->context);
    struct queue *queue = queue_of(call->stream);
    *queue->end = kept;
    queue->end = &kept->next;
    if (below(8) < haste)
        step();
    return CUDA_SUCCESS;
}

static CUresult run_record(const struct late_call *call)
{
    return late_plain.cuEventRecord(call->event, call->stream);
}

CUresult late_record(CUevent event, CUstream stream)
{
    uint64_t record = ++event_of(event)->asked;
    return late_keep(
        &(struct late_call){.run = run_record, .stream = stream, .event = event, .record = record});
}

CUresult late_wait(CUstream stream, CUevent event, unsigned flags)
{
    (void)flags;
    return late_keep(
        &(struct late_call){.stream = stream, .event = event, .record = event_of(event)->asked});
}

static bool go_on(void)
{
    if (step())
        return true;
    fprintf(stderr, "late driver: streams wait for one another\n");
    good = false;
    return false;
}

CUresult late_synchronise(CUstream stream)
{
    struct queue *queue = queue_of(stream);
    while (queue->first)
        if (!go_on())
            return CUDA_ERROR_UNKNOWN;
    return late_plain.cuStreamSynchronize(stream);
}

CUresult late_query(CUstream stream)
{
    step();
    return queue_of(stream)->first ? CUDA_ERROR_NOT_READY : late_plain.cuStreamQuery(stream);
}

void late_driver_reach(CUevent event)
{
    const struct known_event *known = event_of(event);
    while (known->made < known->asked)
        if (!go_on())
            return;
}

void late_queues_begin(uint64_t with_seed)
{
    seed = with_seed;
    drawn = 0;
    queue_count = event_count = 0;
    good = true;
    haste = (unsigned)below(4) * 2;
}

bool late_queues_end(void)
{
    for (int i = 0; i < queue_count; i++)
        if (queues[i].first) {
            fprintf(stderr, "late driver: work was left in a stream that is gone\n");
            good = false;
        }
    return good;
}
