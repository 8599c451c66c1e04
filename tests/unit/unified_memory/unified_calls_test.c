/* unified_calls_test.c: each call of CUDA fails once while a region is executed in managed memory:
 * the library says so, and gives back what it has allocated. */
#include <datamotion/unified_memory.h>

#include "common/gpu.h"
#include "common/harness/exit.h"
#include "common/regions/managed_limit.h"
#include "common/workloads/benchmark.h"
#include "tests/unit/test_status.h"

/* The linker puts these in front of CUDA's (Makefile). The n-th call fails as if there were no
 * memory, and no other. */
static long calls_left = -1; /* -1: none fails */
static long streams, events; /* that exist */

static bool call_fails(void)
{
    return calls_left >= 0 && calls_left-- == 0;
}

#define FAILING(name, parameters, arguments)                                                       \
    cudaError_t __real_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters                                                           \
    {                                                                                              \
        return call_fails() ? cudaErrorMemoryAllocation : __real_##name arguments;                 \
    }

FAILING(cudaPointerGetAttributes, (struct cudaPointerAttributes * attributes, const void *pointer),
        (attributes, pointer))
FAILING(cudaMemGetInfo, (size_t * available, size_t *total), (available, total))
FAILING(cudaGetDevice, (int *device), (device))
FAILING(cudaMallocManaged, (void **pointer, size_t bytes, unsigned flags), (pointer, bytes, flags))
FAILING(cudaMalloc, (void **pointer, size_t bytes), (pointer, bytes))
FAILING(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream))
FAILING(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
        (stream, event, flags))
FAILING(cudaStreamSynchronize, (cudaStream_t stream), (stream))
FAILING(cudaDeviceSynchronize, (void), ())
#if CUDART_VERSION >= 13000
FAILING(cudaMemPrefetchAsync,
        (const void *pointer, size_t bytes, struct cudaMemLocation place, unsigned flags,
         cudaStream_t stream),
        (pointer, bytes, place, flags, stream))
FAILING(cudaMemAdvise,
        (const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
         struct cudaMemLocation place),
        (pointer, bytes, advice, place))
#else
FAILING(cudaMemPrefetchAsync, (const void *pointer, size_t bytes, int device, cudaStream_t stream),
        (pointer, bytes, device, stream))
FAILING(cudaMemAdvise,
        (const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int device),
        (pointer, bytes, advice, device))
#endif

/* Those that make and destroy something count it, too. */
cudaError_t __real_cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t __wrap_cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t __wrap_cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    if (call_fails())
        return cudaErrorMemoryAllocation;
    streams++;
    return __real_cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t __real_cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t __wrap_cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t __wrap_cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    if (call_fails())
        return cudaErrorMemoryAllocation;
    events++;
    return __real_cudaEventCreateWithFlags(event, flags);
}

cudaError_t __real_cudaStreamDestroy(cudaStream_t stream);
cudaError_t __wrap_cudaStreamDestroy(cudaStream_t stream);
cudaError_t __wrap_cudaStreamDestroy(cudaStream_t stream)
{
    streams--;
    return __real_cudaStreamDestroy(stream);
}

cudaError_t __real_cudaEventDestroy(cudaEvent_t event);
cudaError_t __wrap_cudaEventDestroy(cudaEvent_t event);
cudaError_t __wrap_cudaEventDestroy(cudaEvent_t event)
{
    events--;
    return __real_cudaEventDestroy(event);
}

/* ---- what calls them ---- */

static const struct unified_config config = {
    .hints = UNIFIED_BOTH | UNIFIED_PLACE_RESULTS, .chunk_size = 4, .streams = 2};

static enum dm_status execute(const struct dm_region *region, enum unified_hints hints)
{
    struct unified_config all = config;
    struct unified_plan *plan;
    struct unified_report report;
    struct unified_traffic traffic;

    all.hints |= hints;
    enum dm_status status = unified_open(&plan, region, &all);
    expect((status == DM_OK) == (plan != NULL));
    if (plan)
        status = unified_run(plan, &report, UNIFIED_COUNT_BYTES, &traffic);
    unified_close(plan);
    return status;
}

static enum dm_status execute_mapped(const struct dm_region *region)
{
    return execute(region, UNIFIED_MAP_RESULTS);
}

static enum dm_status execute_prefetched(const struct dm_region *region)
{
    return execute(region, UNIFIED_ON_DEMAND);
}

static size_t capacity_bytes;

static enum dm_status take_ballast(const struct dm_region *region)
{
    void *ballast;

    (void)region;
    enum dm_status status = managed_take_ballast(capacity_bytes, &ballast);
    managed_release_ballast(ballast);
    return status;
}

/* Fails the calls of an operation one after the other; returns how many it makes. */
static long fail_each(enum dm_status (*operation)(const struct dm_region *),
                      const struct dm_region *region)
{
    for (long call = 0;; call++) {
        const long had_streams = streams, had_events = events;
        calls_left = call;
        const enum dm_status status = operation(region);
        const bool failed = calls_left < 0;
        calls_left = -1;
        expect(status == (failed ? DM_NO_MEMORY : DM_OK));
        expect(!failed || strstr(dm_message(), "memory"));
        expect(streams == had_streams && events == had_events);
        check_status(unified_to_host(region));
        if (!failed || call > 1000)
            return call;
    }
}

static struct benchmark *create(const char *name, long rounds)
{
    const struct benchmark_kind *kind = benchmark_kind_of(name);
    struct benchmark *benchmark =
        benchmark_create(kind, benchmark_size(kind, "tiny"), rounds, MEMORY_MANAGED, 5);

    benchmark_reset(benchmark);
    return benchmark;
}

/* fdtd2d has scratch arrays; rounds of conv3d swap arrays; transpose has columns. */
static void calls_that_fail_are_reported(void)
{
    static const char *const names[] = {"fdtd2d", "conv3d", "transpose"};

    for (int i = 0; i < 3; i++) {
        struct benchmark *benchmark = create(names[i], i == 1 ? 2 : 1);
        expect(fail_each(execute_prefetched, &benchmark->region) > 10);
        expect(fail_each(execute_mapped, &benchmark->region) > 10);
        benchmark_reset(benchmark);
        expect_ok(execute_prefetched(&benchmark->region));
        expect(benchmark_errors(benchmark) == 0);
        benchmark_release(benchmark);
    }
}

/* The ballast is small: a real card is not filled up. */
static void calls_outside_a_plan_are_reported(void)
{
    struct benchmark *benchmark = create("conv3d", 1);
    size_t available, total;

    check_cuda(cudaMemGetInfo(&available, &total));
    capacity_bytes = available - ((size_t)1 << 20);
    expect(fail_each(unified_to_host, &benchmark->region) > 1);
    expect(fail_each(take_ballast, &benchmark->region) == 2);
    benchmark_release(benchmark);
}

int main(void)
{
    run_test(calls_that_fail_are_reported);
    run_test(calls_outside_a_plan_are_reported);
    return end_tests();
}
