/* slices.h: an array as a kernel sees it, whether all of it lies on the device or a part.
 *
 * An array is split into slices along one dimension. Slice i lies in slot i mod capacity. For an
 * array that is on the device as a whole, capacity is the number of its slices and first is 0; for
 * a ring buffer capacity is smaller, and kernels use the same code. Source: Cui, 3.3 (the index
 * handler). */
#ifndef DATAMOTION_SLICES_H
#define DATAMOTION_SLICES_H

#include <cuda_runtime.h>
#include <stddef.h>

struct dm_slices {
    void *base;          /* slot 0 */
    size_t stride_bytes; /* from one slot to the next */
    size_t pitch_bytes;  /* from one row to the next, of arrays split by columns; else 0 */
    long first; /* a multiple of capacity: the slices in use lie in [first, first + 2*capacity) */
    long capacity; /* slots */
};

#ifdef __cplusplus
/* The first element of slice i, which must be on the device, for elements of any type. One
 * comparison instead of a division, as the slices of a launch span at most two laps of the ring. */
template <class Element>
static inline __host__ __device__ Element *dm_slice(struct dm_slices array, long i)
{
    long slot = i - array.first;
    slot -= slot >= array.capacity ? array.capacity : 0;
    return (Element *)((char *)array.base + slot * array.stride_bytes);
}

/* Elements from one row to the next of an array split by columns. */
template <class Element> static inline __host__ __device__ size_t dm_pitch(struct dm_slices array)
{
    return array.pitch_bytes / sizeof(Element);
}
#endif

#endif
