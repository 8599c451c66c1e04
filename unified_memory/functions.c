#include "functions.h"

#include "common/gpu.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"

#include "access.h"

static long host_pointer_wrong(size_t bytes, uint32_t seed)
{
    uint32_t *values, result = 0, expected = 0;
    uint32_t *sum = memory_allocate(MEMORY_DEVICE, sizeof *sum);
    size_t count = bytes / sizeof *values;

    check_cuda(cudaHostAlloc((void **)&values, bytes, cudaHostAllocDefault));
    for (size_t i = 0; i < count; i++)
        expected += values[i] = access_value(i, seed);
    check_cuda(cudaMemset(sum, 0, sizeof *sum));
    cudaError_t error = access_sum(values, count, sum, 0);
    if (error == cudaSuccess)
        error = cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
    check_cuda(cudaFreeHost(values));
    memory_release(MEMORY_DEVICE, sum);
    return error != cudaSuccess || result != expected;
}

static int64_t used_bytes(void)
{
    size_t available, total;

    check_cuda(cudaDeviceSynchronize());
    check_cuda(cudaMemGetInfo(&available, &total));
    return (int64_t)(total - available);
}

static long differ_from_explicit(const uint32_t *managed, size_t count, uint32_t seed)
{
    struct ways_memory memory;
    struct array array;
    long differing = 0;

    ways_memory_open(&memory, count);
    check_status(array_open(&array, WAY_EXPLICIT, &memory, seed));
    array_place(&array);
    pattern_run(&array, PATTERN_PING_PONG, 1, seed);
    for (size_t i = 0; i < count; i++)
        differing += managed[i] != array.host[i];
    ways_memory_close(&memory);
    return differing;
}

/* What PATTERN_PING_PONG does in one turn. */
static void compute(uint32_t *values, size_t count, uint32_t seed)
{
    for (size_t i = 0; i < count; i++)
        values[i] = access_value(i, seed);
    check_cuda(access_increment(values, count, 0));
    check_cuda(cudaDeviceSynchronize());
    for (size_t i = 0; i < count; i += PAGE_ELEMENTS)
        values[i]++;
}

static long single_pointer_wrong(size_t bytes, uint32_t seed, bool prefetch, struct device_use *use)
{
    uint32_t *values;
    size_t count = bytes / sizeof *values;
    int64_t start = used_bytes();
    int device;

    check_cuda(cudaGetDevice(&device));
    check_cuda(cudaMallocManaged((void **)&values, bytes, cudaMemAttachGlobal));
    use->allocated_bytes = used_bytes() - start;
    if (prefetch)
        check_cuda(gpu_prefetch_async(values, bytes, device, 0));
    else
        check_cuda(access_fill(values, count, seed, 0));
    use->touched_bytes = used_bytes() - start;
    compute(values, count, seed);
    long differing = differ_from_explicit(values, count, seed);
    check_cuda(cudaFree(values));
    return differing;
}

long function_wrong(enum way way, size_t bytes, uint32_t seed, struct device_use *use)
{
    return way == WAY_ZERO_COPY ? host_pointer_wrong(bytes, seed)
                                : single_pointer_wrong(bytes, seed, way == WAY_PREFETCH, use);
}
