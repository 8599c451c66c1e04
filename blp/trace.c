#include "trace.h"

#include <stdlib.h>

#include "common/error_cuda.h"

void blp_trace_release(struct blp_trace *trace)
{
    if (!trace)
        return;
    free(trace->entries);
    *trace = (struct blp_trace){0};
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

static enum dm_status reserve(struct blp_trace *trace, long count)
{
    if (trace->capacity < count) {
        size_t bytes = (size_t)count * sizeof *trace->entries;
        struct blp_trace_entry *entries = malloc(bytes);
        if (!entries)
            return error_no_memory(bytes);
        free(trace->entries);
        trace->entries = entries;
        trace->capacity = count;
    }
    trace->count = count;
    return DM_OK;
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

static enum dm_status copy_records(const struct blp_work *work, long count,
                                   struct blp_record *records, struct blp_trace *trace)
{
    TRY_CUDA(cudaMemcpy(records, work->records, (size_t)count * sizeof *records,
                        cudaMemcpyDeviceToHost));
    qsort(records, (size_t)count, sizeof *records, by_block_and_time);
    TRY(reserve(trace, count));
    convert(records, trace);
    return DM_OK;
}

enum dm_status read_records(const struct blp_work *work, struct blp_trace *trace)
{
    unsigned count;
    TRY_CUDA(
        cudaMemcpy(&count, &work->counters[BLP_RECORDS], sizeof count, cudaMemcpyDeviceToHost));
    struct blp_record *records = malloc(count * sizeof *records);
    if (!records)
        return error_no_memory(count * sizeof *records);
    enum dm_status status = copy_records(work, count, records, trace);
    free(records);
    return status;
}
