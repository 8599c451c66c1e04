/* Each call of CUDA fails once while regions are executed: the error comes back as a status,
 * nothing is left on the device, and afterwards the same region can be executed. */
#include <datamotion/pipeline.h>

#include "common/harness/exit.h"
#include "common/regions/copies.h"
#include "common/regions/copies_trace.h"
#include "common/regions/device_memory.h"
#include "common/workloads/benchmark.h"
#include "tests/unit/test_status.h"

/* The linker puts these in front of CUDA's (Makefile). The n-th call fails, and no other. */
static long calls_left = -1; /* -1: none fails */

static bool call_fails(void)
{
    return calls_left >= 0 && calls_left-- == 0;
}

#define FAILING(name, parameters, arguments)                                                       \
    cudaError_t __real_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters                                                           \
    {                                                                                              \
        return call_fails() ? cudaErrorUnknown : __real_##name arguments;                          \
    }

FAILING(cudaMalloc, (void **pointer, size_t bytes), (pointer, bytes))
FAILING(cudaMallocPitch, (void **pointer, size_t *pitch, size_t width, size_t height),
        (pointer, pitch, width, height))
FAILING(cudaMallocHost, (void **pointer, size_t bytes), (pointer, bytes))
FAILING(cudaMemGetInfo, (size_t * available, size_t *total), (available, total))
FAILING(cudaMemset, (void *to, int value, size_t bytes), (to, value, bytes))
FAILING(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), (stream, flags))
FAILING(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
        (stream, event, flags))
FAILING(cudaEventCreate, (cudaEvent_t * event), (event))
FAILING(cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags), (event, flags))
FAILING(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream))
FAILING(cudaEventSynchronize, (cudaEvent_t event), (event))
FAILING(cudaEventElapsedTime, (float *milliseconds, cudaEvent_t start, cudaEvent_t end),
        (milliseconds, start, end))
FAILING(cudaMemcpyAsync,
        (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
        (to, from, bytes, kind, stream))
FAILING(cudaMemcpy2DAsync,
        (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
         size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
        (to, to_pitch, from, from_pitch, width, height, kind, stream))

/* ---- what is tried ---- */

enum { CHUNK_SIZE = 9, STREAMS = 2 };

static enum dm_status execute(const struct dm_region *region, enum copies_version version,
                              struct copies_trace *trace)
{
    const struct copies_options options = {
        .chunk_size = CHUNK_SIZE, .streams = STREAMS, .trace = trace};
    struct copies_report report;
    struct copies_plan *plan;
    enum dm_status status = copies_open(&plan, version, region, &options);
    expect((status == DM_OK) == (plan != NULL));
    if (plan)
        status = copies_run(plan, &report);
    copies_close(plan);
    return status;
}

static enum dm_status execute_chosen(const struct dm_region *region, enum copies_version version,
                                     struct copies_trace *trace)
{
    (void)version, (void)trace;
    struct pipeline_plan *plan;
    enum dm_status status = pipeline_open(&plan, region, &(struct pipeline_options){0});
    expect((status == DM_OK) == (plan != NULL));
    if (plan)
        status = pipeline_run(plan, NULL);
    pipeline_close(plan);
    return status;
}

typedef enum dm_status execution(const struct dm_region *region, enum copies_version version,
                                 struct copies_trace *trace);

/* The same bytes are in use as at the first call. A GPU's driver keeps some for itself. */
static void expect_same_memory(size_t *in_use)
{
#if defined(SOFTGPU)
    *in_use = *in_use ? *in_use : device_memory_in_use();
    expect(device_memory_in_use() == *in_use);
#else
    (void)in_use;
#endif
}

/* Every `step`-th call fails in turn, until an execution has made none that fails. */
static void fail_each_call(struct benchmark *benchmark, execution *run, enum copies_version version,
                           struct copies_trace *trace, long step)
{
    size_t in_use = 0;
    long call = 0;
    for (bool failed = true; failed; call += step) {
        calls_left = call;
        const enum dm_status status = run(&benchmark->region, version, trace);
        failed = calls_left < 0;
        calls_left = -1;
        expect(failed == (status != DM_OK));
        if (failed) {
            expect(status == DM_FAILED);
            expect(strstr(dm_message(), cudaGetErrorString(cudaErrorUnknown)) != NULL);
        }
        expect_same_memory(&in_use);
    }
    expect(call > 10);
    benchmark_reset(benchmark);
    expect_ok(run(&benchmark->region, version, trace));
    expect(benchmark_errors(benchmark) == 0);
}

static void each_call_may_fail(const char *name, execution *run, bool traced, long step)
{
    const struct benchmark_kind *kind = benchmark_kind_of(name);
    struct benchmark *benchmark =
        benchmark_create(kind, benchmark_size(kind, "tiny"), 1, MEMORY_PINNED, 3);
    struct copies_trace *trace = NULL;
    if (traced)
        expect_ok(copies_trace_create(&trace));
    if (run == execute_chosen)
        fail_each_call(benchmark, run, COPIES_RINGS, NULL, step);
    for (int v = COPIES_NAIVE; run == execute && v < COPIES_VERSIONS; v++)
        fail_each_call(benchmark, run, (enum copies_version)v, trace, step);
    copies_trace_release(trace);
    benchmark_release(benchmark);
}

static void while_rows_and_columns_are_copied(void)
{
    each_call_may_fail("conv2d", execute, false, 1);
    each_call_may_fail("transpose", execute, false, 1);
    each_call_may_fail("fdtd2d", execute, false, 3);
}

static void while_a_run_is_traced(void)
{
    each_call_may_fail("conv2d", execute, true, 5);
}

/* The link alone takes thousands of calls. */
static void while_chunk_size_and_streams_are_chosen(void)
{
    each_call_may_fail("matmul", execute_chosen, false, 211);
}

int main(void)
{
    run_test(while_rows_and_columns_are_copied);
    run_test(while_a_run_is_traced);
    run_test(while_chunk_size_and_streams_are_chosen);
    return end_tests();
}
