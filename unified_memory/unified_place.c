#include "unified_place.h"

#include <stdint.h>

#include "common/gpu.h"
#include "common/harness/exit.h"

static long prefetch(uintptr_t from, uintptr_t to, int device, cudaStream_t stream)
{
    if (from >= to)
        return 0;
    check_cuda(gpu_prefetch_async((const void *)from, to - from, device, stream));
    return 1;
}

#if CUDART_VERSION >= 13000 && !defined(SOFTGPU)
/* What the driver handles at once; a part of one would be split. */
static const uintptr_t unit = (uintptr_t)2 << 20;

static uintptr_t round_up(uintptr_t address)
{
    return (address + unit - 1) / unit * unit;
}

static long discard_and_prefetch(uintptr_t from, uintptr_t to, int device, cudaStream_t stream)
{
    struct cudaMemLocation location = {.type = cudaMemLocationTypeDevice, .id = device};
    void *start = (void *)from;
    size_t bytes = to - from, index = 0;

    if (from >= to)
        return 0;
    check_cuda(
        cudaMemDiscardAndPrefetchBatchAsync(&start, &bytes, 1, &location, &index, 1, 0, stream));
    return 1;
}

/* Whole units are discarded. The pieces of units at the ends of the array, where something else
 * lies beside it, are prefetched. */
long unified_place(char *start, size_t bytes, size_t first, size_t end, int device,
                   cudaStream_t stream)
{
    uintptr_t base = (uintptr_t)start, inner = round_up(base), outer = (base + bytes) / unit * unit;
    uintptr_t from = round_up(base + first), to = round_up(base + end);

    if (inner >= outer)
        return prefetch(base + first, base + end, device, stream);
    long calls = discard_and_prefetch(from, to < outer ? to : outer, device, stream);
    if (base + first < inner)
        calls += prefetch(base + first, base + end < inner ? base + end : inner, device, stream);
    if (base + end > outer)
        calls += prefetch(base + first > outer ? base + first : outer, base + end, device, stream);
    return calls;
}
#else
long unified_place(char *start, size_t bytes, size_t first, size_t end, int device,
                   cudaStream_t stream)
{
    (void)bytes;
    return prefetch((uintptr_t)start + first, (uintptr_t)start + end, device, stream);
}
#endif
