#include "place.h"

#include <stdint.h>

#include "common/migration.h"

static cudaError_t prefetch(uintptr_t from, uintptr_t to, int device, cudaStream_t stream,
                            long *calls)
{
    if (from >= to)
        return cudaSuccess;
    ++*calls;
    return gpu_prefetch_async((const void *)from, to - from, device, stream);
}

#if CUDART_VERSION >= 13000
/* What the driver handles at once; a part of one would be split. */
#if defined(SOFTGPU)
static const uintptr_t unit = (uintptr_t)64 << 10;
#else
static const uintptr_t unit = (uintptr_t)2 << 20;
#endif

static uintptr_t round_up(uintptr_t address)
{
    return (address + unit - 1) / unit * unit;
}

static cudaError_t discard_and_prefetch(uintptr_t from, uintptr_t to, int device,
                                        cudaStream_t stream, long *calls)
{
    struct cudaMemLocation location = {.type = cudaMemLocationTypeDevice, .id = device};
    void *start = (void *)from;
    size_t bytes = to - from, index = 0;

    if (from >= to)
        return cudaSuccess;
    ++*calls;
    return cudaMemDiscardAndPrefetchBatchAsync(&start, &bytes, 1, &location, &index, 1, 0, stream);
}

/* Whole units are discarded. The pieces of units at the ends of the array, where something else
 * lies beside it, are prefetched. */
cudaError_t place_pages(char *start, size_t bytes, size_t first, size_t end, int device,
                        cudaStream_t stream, long *calls)
{
    uintptr_t base = (uintptr_t)start, inner = round_up(base), outer = (base + bytes) / unit * unit;
    uintptr_t from = round_up(base + first), to = round_up(base + end);
    cudaError_t error;

    if (inner >= outer)
        return prefetch(base + first, base + end, device, stream, calls);
    error = discard_and_prefetch(from, to < outer ? to : outer, device, stream, calls);
    if (error == cudaSuccess && base + first < inner)
        error =
            prefetch(base + first, base + end < inner ? base + end : inner, device, stream, calls);
    if (error == cudaSuccess && base + end > outer)
        error = prefetch(base + first > outer ? base + first : outer, base + end, device, stream,
                         calls);
    return error;
}
#else
cudaError_t place_pages(char *start, size_t bytes, size_t first, size_t end, int device,
                        cudaStream_t stream, long *calls)
{
    (void)bytes;
    return prefetch((uintptr_t)start + first, (uintptr_t)start + end, device, stream, calls);
}
#endif
