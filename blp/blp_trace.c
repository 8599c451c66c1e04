#include "blp_trace.h"

#include <stdlib.h>

#include "common/harness/exit.h"

#include "blp_records.h"

struct blp_trace *blp_trace_create(void)
{
    struct blp_trace *trace = allocate_or_fail(1, sizeof *trace);
    *trace = (struct blp_trace){0};
    return trace;
}

void blp_trace_release(struct blp_trace *trace)
{
    if (trace)
        free(trace->entries);
    free(trace);
}

static int by_block_and_time(const void *left, const void *right)
{
    const struct blp_record *a = left, *b = right;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->array > b->array) - (a->array < b->array);
}

static void reserve(struct blp_trace *trace, long count)
{
    if (trace->capacity < count) {
        free(trace->entries);
        trace->entries = allocate_or_fail((unsigned long)count, sizeof *trace->entries);
        trace->capacity = count;
    }
    trace->count = count;
}

static void convert(const struct blp_record *records, struct blp_trace *trace)
{
    long long origin = records[0].start;
    for (long i = 1; i < trace->count; i++)
        origin = records[i].start < origin ? records[i].start : origin;
    for (long i = 0; i < trace->count; i++) {
        const struct blp_record *record = &records[i];
        trace->entries[i] = (struct blp_trace_entry){
            .block = record->block,
            .role = (enum blp_role)record->role,
            .task = record->task,
            .array = record->array,
            .first = record->first,
            .end = record->end,
            .ready_s = 1e-9 * (double)(record->ready - origin),
            .start_s = 1e-9 * (double)(record->start - origin),
            .end_s = 1e-9 * (double)(record->finished - origin),
        };
    }
}

void blp_read_records(const struct blp_work *work, struct blp_trace *trace)
{
    unsigned count;
    check_cuda(
        cudaMemcpy(&count, &work->counters[BLP_RECORDS], sizeof count, cudaMemcpyDeviceToHost));
    struct blp_record *records = allocate_or_fail(count, sizeof *records);
    check_cuda(cudaMemcpy(records, work->records, count * sizeof *records, cudaMemcpyDeviceToHost));
    qsort(records, count, sizeof *records, by_block_and_time);
    reserve(trace, count);
    convert(records, trace);
    free(records);
}
