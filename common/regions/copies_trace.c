#include "common/regions/copies_trace.h"

#include <stdlib.h>

#include "common/error_cuda.h"

#include "common/regions/copies_plan.h"

enum dm_status copies_trace_create(struct copies_trace **trace)
{
    *trace = calloc(1, sizeof **trace);
    return *trace ? DM_OK : error_no_memory(sizeof **trace);
}

void copies_trace_release(struct copies_trace *trace)
{
    if (trace)
        free(trace->entries);
    free(trace);
}

static enum dm_status lacks_memory(long entries)
{
    return dm_fail(DM_NO_MEMORY,
                   "no host memory for a trace of %ld entries: choose fewer chunks or rounds",
                   entries);
}

static enum dm_status grow_entries(struct copies_trace *trace)
{
    long capacity = trace->capacity ? 2 * trace->capacity : 256;
    void *grown = realloc(trace->entries, (size_t)capacity * sizeof *trace->entries);
    if (!grown)
        return lacks_memory(capacity);
    trace->entries = grown;
    trace->capacity = capacity;
    return DM_OK;
}

static enum dm_status grow_marks(struct copies_plan *plan, long entries)
{
    void *grown = realloc(plan->marks, (size_t)(2 * entries) * sizeof *plan->marks);
    if (!grown)
        return lacks_memory(entries);
    plan->marks = grown;
    plan->mark_capacity = 2 * entries;
    return DM_OK;
}

static enum dm_status record(struct copies_plan *plan, cudaEvent_t event, int stream)
{
    plan->report->api_calls++;
    return status_of_cuda(cudaEventRecord(event, plan->stream[stream]));
}

enum dm_status copies_trace_start(struct copies_plan *plan)
{
    if (!plan->trace)
        return DM_OK;
    plan->trace->count = 0;
    if (!plan->origin)
        TRY_CUDA(cudaEventCreate(&plan->origin));
    return record(plan, plan->origin, 0);
}

/* Room for one more entry, and its two events. */
static enum dm_status make_room(struct copies_plan *plan, struct copies_trace *trace)
{
    if (trace->count == trace->capacity)
        TRY(grow_entries(trace));
    if (plan->mark_capacity < 2 * trace->capacity)
        TRY(grow_marks(plan, trace->capacity));
    while (plan->mark_count < 2 * trace->count + 2) {
        plan->report->api_calls++;
        TRY_CUDA(cudaEventCreate(&plan->marks[plan->mark_count]));
        plan->mark_count++;
    }
    return DM_OK;
}

enum dm_status copies_trace_before(struct copies_plan *plan, struct trace_entry entry)
{
    struct copies_trace *trace = plan->trace;
    if (!trace)
        return DM_OK;
    TRY(make_room(plan, trace));
    TRY(record(plan, plan->marks[2 * trace->count], entry.stream));
    trace->entries[trace->count] = entry;
    return DM_OK;
}

enum dm_status copies_trace_after(struct copies_plan *plan)
{
    struct copies_trace *trace = plan->trace;
    if (!trace)
        return DM_OK;
    TRY(record(plan, plan->marks[2 * trace->count + 1], trace->entries[trace->count].stream));
    trace->count++;
    return DM_OK;
}

enum dm_status copies_trace_finish(struct copies_plan *plan)
{
    for (long i = 0; plan->trace && i < plan->trace->count; i++) {
        struct trace_entry *entry = &plan->trace->entries[i];
        const cudaEvent_t *marks = &plan->marks[2 * i];
        TRY(copies_seconds_between(plan->origin, marks[0], &entry->start_s));
        TRY(copies_seconds_between(plan->origin, marks[1], &entry->end_s));
    }
    return DM_OK;
}

void copies_trace_forget(struct copies_plan *plan)
{
    for (long i = 0; i < plan->mark_count; i++)
        cudaEventDestroy(plan->marks[i]);
    free(plan->marks);
    if (plan->origin)
        cudaEventDestroy(plan->origin);
}
