/* slices.h: an array as a kernel sees it, whether all of it lies on the device or a part.
 *
 * An array is split into slices along one dimension. Slice i lies in slot i mod capacity. For an
 * array that is on the device as a whole capacity is the number of its slices and first is 0; for a
 * ring buffer capacity is smaller and kernels write the same code. Source: Cui, 3.3 (the index
 * handler). */
#ifndef COMMON_SLICES_H
#define COMMON_SLICES_H

#include <stddef.h>

#include "common/gpu.h"

struct slices {
    float *base;   /* slot 0 */
    size_t stride; /* elements from one slot to the next */
    size_t pitch;  /* elements from one row to the next, of arrays split by columns; else 0 */
    long first; /* a multiple of capacity: the slices in use lie in [first, first + 2*capacity) */
    long capacity; /* slots */
};

#ifdef __cplusplus
/* The first element of slice i, which must be on the device. One comparison instead of a division,
 * as the slices of a launch span at most two laps of the ring. */
static inline __host__ __device__ float *slice_at(struct slices array, long i)
{
    long slot = i - array.first;
    slot -= slot >= array.capacity ? array.capacity : 0;
    return array.base + slot * array.stride;
}
#endif

#endif
