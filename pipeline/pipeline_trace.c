#include "pipeline_trace.h"

#include <stdlib.h>

#include "common/harness/exit.h"

#include "pipeline_plan.h"

struct pipeline_trace *pipeline_trace_create(void)
{
    return allocate_or_fail(1, sizeof(struct pipeline_trace));
}

void pipeline_trace_release(struct pipeline_trace *trace)
{
    if (trace)
        free(trace->entries);
    free(trace);
}

static void *grow(void *memory, long count, size_t element_bytes)
{
    void *grown = realloc(memory, (size_t)count * element_bytes);
    if (!grown)
        fail("no host memory for a trace of %ld entries: choose fewer chunks or rounds", count);
    return grown;
}

static void create_timed(cudaEvent_t *event)
{
    check_cuda(cudaEventCreate(event));
}

static void record(struct pipeline_plan *plan, cudaEvent_t event, int stream)
{
    plan->report->api_calls++;
    check_cuda(cudaEventRecord(event, plan->stream[stream]));
}

void pipeline_trace_start(struct pipeline_plan *plan)
{
    if (!plan->trace)
        return;
    plan->trace->count = 0;
    if (!plan->origin)
        create_timed(&plan->origin);
    record(plan, plan->origin, 0);
}

void pipeline_trace_before(struct pipeline_plan *plan, struct trace_entry entry)
{
    struct pipeline_trace *trace = plan->trace;
    if (!trace)
        return;
    if (trace->count == trace->capacity) {
        trace->capacity = trace->capacity ? 2 * trace->capacity : 256;
        trace->entries = grow(trace->entries, trace->capacity, sizeof *trace->entries);
    }
    if (plan->mark_count < 2 * trace->capacity)
        plan->marks = grow(plan->marks, 2 * trace->capacity, sizeof *plan->marks);
    while (plan->mark_count < 2 * trace->count + 2) {
        plan->report->api_calls++;
        create_timed(&plan->marks[plan->mark_count++]);
    }
    record(plan, plan->marks[2 * trace->count], entry.stream);
    trace->entries[trace->count] = entry;
}

void pipeline_trace_after(struct pipeline_plan *plan)
{
    struct pipeline_trace *trace = plan->trace;
    if (!trace)
        return;
    record(plan, plan->marks[2 * trace->count + 1], trace->entries[trace->count].stream);
    trace->count++;
}

static double seconds_since_origin(const struct pipeline_plan *plan, cudaEvent_t event)
{
    float milliseconds;
    check_cuda(cudaEventElapsedTime(&milliseconds, plan->origin, event));
    return 1e-3 * milliseconds;
}

void pipeline_trace_finish(struct pipeline_plan *plan)
{
    if (!plan->trace)
        return;
    for (long i = 0; i < plan->trace->count; i++) {
        plan->trace->entries[i].start_s = seconds_since_origin(plan, plan->marks[2 * i]);
        plan->trace->entries[i].end_s = seconds_since_origin(plan, plan->marks[2 * i + 1]);
    }
}

void pipeline_trace_forget(struct pipeline_plan *plan)
{
    for (long i = 0; i < plan->mark_count; i++)
        check_cuda(cudaEventDestroy(plan->marks[i]));
    free(plan->marks);
    if (plan->origin)
        check_cuda(cudaEventDestroy(plan->origin));
}
