#include "common/regions/link.h"

#include <math.h>

#include "common/clock.h"
#include "common/error_cuda.h"
#include "common/memory.h"
#include "common/statistics.h"
#include "common/workloads/overhead.h"

#include "common/regions/chunks.h"

enum { SAMPLES = 15, OPERATIONS = 64 };

struct bench {
    void *host[2], *device[2]; /* one pair per direction */
    cudaStream_t stream[2];
    cudaEvent_t start, end[2];
};

static enum dm_status bench_create(struct bench *bench, size_t bytes)
{
    for (int d = 0; d < 2; d++) {
        TRY(memory_obtain(MEMORY_PINNED, bytes, &bench->host[d]));
        TRY(memory_obtain(MEMORY_DEVICE, bytes, &bench->device[d]));
        TRY_CUDA(cudaMemset(bench->device[d], 0, bytes));
        TRY_CUDA(cudaStreamCreateWithFlags(&bench->stream[d], cudaStreamNonBlocking));
        TRY_CUDA(cudaEventCreate(&bench->end[d]));
    }
    return status_of_cuda(cudaEventCreate(&bench->start));
}

static void bench_release(struct bench *bench)
{
    for (int d = 0; d < 2; d++) {
        if (bench->stream[d])
            cudaStreamDestroy(bench->stream[d]);
        if (bench->end[d])
            cudaEventDestroy(bench->end[d]);
        memory_give_back(MEMORY_PINNED, bench->host[d]);
        memory_give_back(MEMORY_DEVICE, bench->device[d]);
    }
    if (bench->start)
        cudaEventDestroy(bench->start);
}

static enum dm_status seconds_between(cudaEvent_t start, cudaEvent_t end, double *seconds)
{
    float milliseconds;
    TRY_CUDA(cudaEventSynchronize(end));
    TRY_CUDA(cudaEventElapsedTime(&milliseconds, start, end));
    *seconds = 1e-3 * milliseconds;
    return DM_OK;
}

/* How long copies of `bytes` took in each direction, begun at the same time; 0 where there was
 * none. */
struct times {
    double in_s, out_s;
};

static enum dm_status time_copies(struct bench *bench, size_t bytes, bool in, bool out,
                                  struct times *times)
{
    *times = (struct times){0};
    TRY_CUDA(cudaEventRecord(bench->start, bench->stream[0]));
    TRY_CUDA(cudaStreamWaitEvent(bench->stream[1], bench->start, 0));
    if (in)
        TRY_CUDA(cudaMemcpyAsync(bench->device[0], bench->host[0], bytes, cudaMemcpyHostToDevice,
                                 bench->stream[0]));
    TRY_CUDA(cudaEventRecord(bench->end[0], bench->stream[0]));
    if (out)
        TRY_CUDA(cudaMemcpyAsync(bench->host[1], bench->device[1], bytes, cudaMemcpyDeviceToHost,
                                 bench->stream[1]));
    TRY_CUDA(cudaEventRecord(bench->end[1], bench->stream[1]));
    for (int d = 0; d < 2; d++)
        TRY_CUDA(cudaEventSynchronize(bench->end[d]));
    if (in)
        TRY(seconds_between(bench->start, bench->end[0], &times->in_s));
    if (out)
        TRY(seconds_between(bench->start, bench->end[1], &times->out_s));
    return DM_OK;
}

static double median(double *values)
{
    statistics_sort(values, SAMPLES);
    return statistics_quantile(values, SAMPLES, 0.5);
}

/* The sample that was over first: a bound must not be loosened by what disturbs a copy. */
static enum dm_status best_times(struct bench *bench, size_t bytes, bool in, bool out,
                                 struct times *best)
{
    TRY(time_copies(bench, bytes, in, out, best));
    for (int i = 0; i < SAMPLES; i++) {
        struct times times;
        TRY(time_copies(bench, bytes, in, out, &times));
        if (fmax(times.in_s, times.out_s) < fmax(best->in_s, best->out_s))
            *best = times;
    }
    return DM_OK;
}

/* Bytes that a direction copied while the other one was busy, too: all but what it copied alone
 * afterwards. A hundredth at least: where a direction waits for the other, noise would make it
 * negative, and times are divided by the rate that follows. */
static double bytes_beside(double bytes, double own_s, double other_s, double alone_rate)
{
    return fmax(bytes - fmax(0, own_s - other_s) * alone_rate, bytes / 100);
}

static enum dm_status measure_rates(struct bench *bench, double bytes, struct link_rates *link)
{
    struct times in_alone, out_alone, both;
    TRY(best_times(bench, (size_t)bytes, true, false, &in_alone));
    TRY(best_times(bench, (size_t)bytes, false, true, &out_alone));
    TRY(best_times(bench, (size_t)bytes, true, true, &both));
    link->to_device = bytes / in_alone.in_s;
    link->from_device = bytes / out_alone.out_s;
    double busy_s = fmin(both.in_s, both.out_s);
    double in = bytes_beside(bytes, both.in_s, both.out_s, link->to_device);
    double out = bytes_beside(bytes, both.out_s, both.in_s, link->from_device);
    link->both_to_device = fmin(in / busy_s, link->to_device);
    link->both = link->both_to_device + fmin(out / busy_s, link->from_device);
    return DM_OK;
}

/* Smallest copies, smallest kernels and events in turn: host time of a call, device time of an
 * operation. */
static enum dm_status measure_overheads(struct bench *bench, struct link_rates *link)
{
    double calls[SAMPLES], operations[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        TRY_CUDA(cudaEventRecord(bench->start, bench->stream[0]));
        double start_s = clock_now_s();
        for (int j = 0; j < OPERATIONS; j++) {
            TRY_CUDA(cudaMemcpyAsync(bench->device[0], bench->host[0], sizeof(unsigned),
                                     cudaMemcpyHostToDevice, bench->stream[0]));
            TRY_CUDA(overhead_count_threads(bench->device[0], 1, 1, bench->stream[0]));
            TRY_CUDA(cudaEventRecord(bench->end[0], bench->stream[0]));
        }
        calls[i] = (clock_now_s() - start_s) / (3 * OPERATIONS);
        TRY(seconds_between(bench->start, bench->end[0], &operations[i]));
        operations[i] /= 2 * OPERATIONS;
    }
    link->call_s = median(calls);
    link->operation_s = median(operations);
    return DM_OK;
}

enum dm_status link_measure(struct link_rates *link, size_t bytes)
{
    struct bench bench = {0};
    bytes = bytes < sizeof(unsigned) ? sizeof(unsigned) : bytes;
    enum dm_status status = bench_create(&bench, bytes);
    if (status == DM_OK)
        status = measure_rates(&bench, (double)bytes, link);
    if (status == DM_OK)
        status = measure_overheads(&bench, link);
    bench_release(&bench);
    return status;
}

/* ---- the bound ---- */

/* Bytes of the first chunk's copies in, or of the last chunk's copies out. */
static double edge_bytes(const struct dm_region *region, const struct chunks *chunks, bool first)
{
    double bytes = 0;
    for (int a = 0; a < region->array_count; a++) {
        const struct dm_region_array *array = &region->arrays[a];
        struct chunk_range slices = first ? chunk_new_slices(chunks, array, 0)
                                          : chunk_finished_slices(chunks, array, chunks->count - 1);
        if (array->direction & (first ? DM_REGION_TO : DM_REGION_FROM))
            bytes += (double)(slices.end - slices.first) * (double)dm_region_slice_size(array);
    }
    return bytes;
}

double link_time_s(const struct link_rates *link, double in, double out)
{
    double in_rate = link->both_to_device, out_rate = link->both - link->both_to_device;
    double busy_s = fmin(in / in_rate, out / out_rate);
    return busy_s + (in - busy_s * in_rate) / link->to_device +
           (out - busy_s * out_rate) / link->from_device;
}

double link_bound_s(const struct link_rates *link, const struct dm_region *region, double kernel_s,
                    long chunk_size)
{
    struct chunks chunks = chunks_make(region, chunk_size);
    double in = (double)dm_region_bytes(region, DM_REGION_TO);
    double out = (double)dm_region_bytes(region, DM_REGION_FROM);
    double first = edge_bytes(region, &chunks, true), last = edge_bytes(region, &chunks, false);
    return first / link->to_device + last / link->from_device +
           fmax(link_time_s(link, in - first, out - last), kernel_s);
}
