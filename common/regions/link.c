#include "common/regions/link.h"

#include <math.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/error_cuda.h"
#include "common/memory.h"
#include "common/statistics.h"
#include "common/workloads/overhead.h"

#include "common/regions/chunks.h"

enum { SAMPLES = 15, OPERATIONS = 64 };

/* Which copies there are. */
enum mode { IN, OUT, BOTH, MODES };

/* How long copies took in each direction, begun at the same time; 0 where there was none. */
struct times {
    double in_s, out_s;
};

/* Of one device. */
struct bench {
    int number;
    void *host[2], *device[2]; /* one pair per direction */
    cudaStream_t stream[2];
    cudaEvent_t start, end[2];
    struct times last, best[MODES];
};

/* With the caller's device current, as it is when a loop's arrays are made. */
static enum dm_status bench_obtain(struct bench *bench, size_t bytes)
{
    for (int d = 0; d < 2; d++)
        TRY(memory_obtain(MEMORY_PINNED, bytes, &bench->host[d]));
    return DM_OK;
}

static enum dm_status bench_create(struct bench *bench, size_t bytes)
{
    TRY_CUDA(cudaSetDevice(bench->number));
    for (int d = 0; d < 2; d++) {
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

static enum dm_status enqueue_copies(struct bench *bench, size_t bytes, enum mode mode)
{
    TRY_CUDA(cudaEventRecord(bench->start, bench->stream[0]));
    TRY_CUDA(cudaStreamWaitEvent(bench->stream[1], bench->start, 0));
    if (mode != OUT)
        TRY_CUDA(cudaMemcpyAsync(bench->device[0], bench->host[0], bytes, cudaMemcpyHostToDevice,
                                 bench->stream[0]));
    TRY_CUDA(cudaEventRecord(bench->end[0], bench->stream[0]));
    if (mode != IN)
        TRY_CUDA(cudaMemcpyAsync(bench->host[1], bench->device[1], bytes, cudaMemcpyDeviceToHost,
                                 bench->stream[1]));
    return status_of_cuda(cudaEventRecord(bench->end[1], bench->stream[1]));
}

static enum dm_status wait_for_copies(struct bench *bench, enum mode mode)
{
    bench->last = (struct times){0};
    for (int d = 0; d < 2; d++)
        TRY_CUDA(cudaEventSynchronize(bench->end[d]));
    if (mode != OUT)
        TRY(seconds_between(bench->start, bench->end[0], &bench->last.in_s));
    if (mode != IN)
        TRY(seconds_between(bench->start, bench->end[1], &bench->last.out_s));
    return DM_OK;
}

/* All devices' copies are on their way before any is waited for. */
static enum dm_status time_copies(struct bench *benches, int count, size_t bytes, enum mode mode,
                                  double *slowest_s)
{
    for (int i = 0; i < count; i++)
        TRY(enqueue_copies(&benches[i], bytes, mode));
    *slowest_s = 0;
    for (int i = 0; i < count; i++) {
        TRY(wait_for_copies(&benches[i], mode));
        *slowest_s = fmax(*slowest_s, fmax(benches[i].last.in_s, benches[i].last.out_s));
    }
    return DM_OK;
}

static double median(double *values)
{
    statistics_sort(values, SAMPLES);
    return statistics_quantile(values, SAMPLES, 0.5);
}

/* The sample that was over first, on the slowest device: a bound must not be loosened by what
 * disturbs a copy. */
static enum dm_status best_times(struct bench *benches, int count, size_t bytes, enum mode mode)
{
    double shortest_s = INFINITY, slowest_s;
    for (int sample = 0; sample <= SAMPLES; sample++) {
        TRY(time_copies(benches, count, bytes, mode, &slowest_s));
        for (int i = 0; i < count && slowest_s < shortest_s; i++)
            benches[i].best[mode] = benches[i].last;
        shortest_s = fmin(shortest_s, slowest_s);
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

static void set_rates(struct link_rates *link, const struct bench *bench, double bytes)
{
    const struct times both = bench->best[BOTH];
    link->to_device = bytes / bench->best[IN].in_s;
    link->from_device = bytes / bench->best[OUT].out_s;
    double busy_s = fmin(both.in_s, both.out_s);
    double in = bytes_beside(bytes, both.in_s, both.out_s, link->to_device);
    double out = bytes_beside(bytes, both.out_s, both.in_s, link->from_device);
    link->both_to_device = fmin(in / busy_s, link->to_device);
    link->both = link->both_to_device + fmin(out / busy_s, link->from_device);
}

/* Smallest copies, smallest kernels and events in turn: host time of a call, device time of an
 * operation. */
static enum dm_status measure_overheads(struct bench *bench, struct link_rates *link)
{
    double calls[SAMPLES], operations[SAMPLES];
    TRY_CUDA(cudaSetDevice(bench->number));
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

static enum dm_status measure_all(struct bench *benches, int count, size_t bytes,
                                  struct link_rates *links)
{
    for (int i = 0; i < count; i++)
        TRY(bench_obtain(&benches[i], bytes));
    for (int i = 0; i < count; i++)
        TRY(bench_create(&benches[i], bytes));
    for (enum mode mode = IN; mode < MODES; mode++)
        TRY(best_times(benches, count, bytes, mode));
    for (int i = 0; i < count; i++) {
        set_rates(&links[i], &benches[i], (double)bytes);
        TRY(measure_overheads(&benches[i], &links[i]));
    }
    return DM_OK;
}

static enum dm_status check_devices(const int *devices, int count)
{
    int present;
    TRY_CUDA(cudaGetDeviceCount(&present));
    if (count < 1)
        return dm_fail(DM_INVALID, "links of %d GPUs: name one at least", count);
    for (int i = 0; i < count; i++)
        if (devices[i] < 0 || devices[i] >= present)
            return dm_fail(DM_INVALID, "the link of GPU %d: there are %d, from 0 on", devices[i],
                           present);
    return DM_OK;
}

enum dm_status link_measure_together(struct link_rates *links, const int *devices, int count,
                                     size_t bytes)
{
    int current;
    TRY(check_devices(devices, count));
    TRY_CUDA(cudaGetDevice(&current));
    struct bench *benches = calloc((size_t)count, sizeof *benches);
    if (!benches)
        return error_no_memory((size_t)count * sizeof *benches);
    for (int i = 0; i < count; i++)
        benches[i].number = devices[i];
    bytes = bytes < sizeof(unsigned) ? sizeof(unsigned) : bytes;
    enum dm_status status = measure_all(benches, count, bytes, links);
    for (int i = 0; i < count; i++)
        bench_release(&benches[i]);
    free(benches);
    cudaSetDevice(current);
    return status;
}

enum dm_status link_measure(struct link_rates *link, size_t bytes)
{
    int current;
    TRY_CUDA(cudaGetDevice(&current));
    return link_measure_together(link, &current, 1, bytes);
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
