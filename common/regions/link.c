#include "common/regions/link.h"

#include <math.h>

#include "common/clock.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/statistics.h"
#include "common/workloads/overhead.h"

#include "common/regions/chunks.h"

enum { SAMPLES = 15, OPERATIONS = 64 };

struct bench {
    char *host[2], *device[2]; /* one pair per direction */
    cudaStream_t stream[2];
    cudaEvent_t start, end[2];
};

static struct bench bench_create(size_t bytes)
{
    struct bench bench;
    for (int d = 0; d < 2; d++) {
        bench.host[d] = memory_allocate(MEMORY_PINNED, bytes);
        bench.device[d] = memory_allocate(MEMORY_DEVICE, bytes);
        check_cuda(cudaMemset(bench.device[d], 0, bytes));
        check_cuda(cudaStreamCreateWithFlags(&bench.stream[d], cudaStreamNonBlocking));
        check_cuda(cudaEventCreate(&bench.end[d]));
    }
    check_cuda(cudaEventCreate(&bench.start));
    return bench;
}

static void bench_release(struct bench *bench)
{
    for (int d = 0; d < 2; d++) {
        memory_release(MEMORY_PINNED, bench->host[d]);
        memory_release(MEMORY_DEVICE, bench->device[d]);
        check_cuda(cudaStreamDestroy(bench->stream[d]));
        check_cuda(cudaEventDestroy(bench->end[d]));
    }
    check_cuda(cudaEventDestroy(bench->start));
}

static double seconds_between(cudaEvent_t start, cudaEvent_t end)
{
    float milliseconds;
    check_cuda(cudaEventElapsedTime(&milliseconds, start, end));
    return 1e-3 * milliseconds;
}

/* How long copies of `bytes` took in each direction, begun at the same time; 0 where not asked for.
 */
struct times {
    double in_s, out_s;
};

static struct times time_copies(struct bench *bench, size_t bytes, bool in, bool out)
{
    check_cuda(cudaEventRecord(bench->start, bench->stream[0]));
    check_cuda(cudaStreamWaitEvent(bench->stream[1], bench->start, 0));
    if (in)
        check_cuda(cudaMemcpyAsync(bench->device[0], bench->host[0], bytes, cudaMemcpyHostToDevice,
                                   bench->stream[0]));
    check_cuda(cudaEventRecord(bench->end[0], bench->stream[0]));
    if (out)
        check_cuda(cudaMemcpyAsync(bench->host[1], bench->device[1], bytes, cudaMemcpyDeviceToHost,
                                   bench->stream[1]));
    check_cuda(cudaEventRecord(bench->end[1], bench->stream[1]));
    for (int d = 0; d < 2; d++)
        check_cuda(cudaEventSynchronize(bench->end[d]));
    return (struct times){in ? seconds_between(bench->start, bench->end[0]) : 0,
                          out ? seconds_between(bench->start, bench->end[1]) : 0};
}

static double median(double *values)
{
    statistics_sort(values, SAMPLES);
    return statistics_quantile(values, SAMPLES, 0.5);
}

/* The sample that was over first: a bound must not be loosened by what disturbs a copy. */
static struct times best_times(struct bench *bench, size_t bytes, bool in, bool out)
{
    struct times best = time_copies(bench, bytes, in, out);
    for (int i = 0; i < SAMPLES; i++) {
        struct times times = time_copies(bench, bytes, in, out);
        if (fmax(times.in_s, times.out_s) < fmax(best.in_s, best.out_s))
            best = times;
    }
    return best;
}

/* Bytes that a direction copied while the other one was busy, too: all but what it copied alone
 * afterwards. A hundredth at least: where a direction waits for the other, noise would make it
 * negative, and times are divided by the rate that follows. */
static double bytes_beside(double bytes, double own_s, double other_s, double alone_rate)
{
    return fmax(bytes - fmax(0, own_s - other_s) * alone_rate, bytes / 100);
}

static void measure_rates(struct bench *bench, double bytes, struct link_rates *link)
{
    link->to_device = bytes / best_times(bench, (size_t)bytes, true, false).in_s;
    link->from_device = bytes / best_times(bench, (size_t)bytes, false, true).out_s;
    struct times both = best_times(bench, (size_t)bytes, true, true);
    double busy_s = fmin(both.in_s, both.out_s);
    double in = bytes_beside(bytes, both.in_s, both.out_s, link->to_device);
    double out = bytes_beside(bytes, both.out_s, both.in_s, link->from_device);
    link->both_to_device = fmin(in / busy_s, link->to_device);
    link->both = link->both_to_device + fmin(out / busy_s, link->from_device);
}

/* Least copies, least kernels and events in turn: host time of a call, device time of an operation.
 */
static void measure_overheads(struct bench *bench, struct link_rates *link)
{
    double calls[SAMPLES], operations[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        check_cuda(cudaEventRecord(bench->start, bench->stream[0]));
        double start_s = clock_now_s();
        for (int j = 0; j < OPERATIONS; j++) {
            check_cuda(cudaMemcpyAsync(bench->device[0], bench->host[0], sizeof(unsigned),
                                       cudaMemcpyHostToDevice, bench->stream[0]));
            check_cuda(
                overhead_count_threads((unsigned *)bench->device[0], 1, 1, bench->stream[0]));
            check_cuda(cudaEventRecord(bench->end[0], bench->stream[0]));
        }
        calls[i] = (clock_now_s() - start_s) / (3 * OPERATIONS);
        check_cuda(cudaEventSynchronize(bench->end[0]));
        operations[i] = seconds_between(bench->start, bench->end[0]) / (2 * OPERATIONS);
    }
    link->call_s = median(calls);
    link->operation_s = median(operations);
}

struct link_rates link_measure(size_t bytes)
{
    struct link_rates link;
    bytes = bytes < sizeof(unsigned) ? sizeof(unsigned) : bytes;
    struct bench bench = bench_create(bytes);
    measure_rates(&bench, (double)bytes, &link);
    measure_overheads(&bench, &link);
    bench_release(&bench);
    return link;
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
