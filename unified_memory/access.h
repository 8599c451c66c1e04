/* access.h: kernels that touch an array in a known way, for the comparison of ways to bring
 * the array to the device.
 *
 * Values are unsigned 32-bit numbers and sums are modulo 2^32, so that results do not depend on
 * the order of additions and can be compared exactly. All functions return when the kernel is
 * enqueued. */
#ifndef UNIFIED_MEMORY_ACCESS_H
#define UNIFIED_MEMORY_ACCESS_H

#include <stddef.h>
#include <stdint.h>

#include "common/gpu.h"

#ifdef __cplusplus
#define ACCESS_ANYWHERE __host__ __device__
extern "C" {
#else
#define ACCESS_ANYWHERE
#endif

/* The value that access_fill gives to element i. */
static inline ACCESS_ANYWHERE uint32_t access_value(size_t i, uint32_t seed)
{
    return ((uint32_t)i + seed) * 2654435761u;
}

/* The sum of elements 0 to count - 1 of such an array: count seed + count (count - 1) / 2 values of
 * access_value(1, 0). */
static inline uint32_t access_total(size_t count, uint32_t seed)
{
    const size_t pairs = count % 2 == 0 ? count / 2 * (count - 1) : count * ((count - 1) / 2);
    return ((uint32_t)count * seed + (uint32_t)pairs) * 2654435761u;
}

/* The element of `count` (a page of 1024 to 2^42) that access_gather reads in its k-th access: k is
 * mixed (the finaliser of MurmurHash3); its high bits choose the page and its low ones the element.
 */
static inline ACCESS_ANYWHERE size_t access_index(uint32_t k, uint32_t seed, size_t count)
{
    uint32_t h = k ^ seed;
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    h ^= h >> 16;
    return (size_t)((uint64_t)h * (count / 1024) >> 32) * 1024 + h % 1024;
}

/* *sum += all elements, read once. */
cudaError_t access_sum(const uint32_t *values, size_t count, uint32_t *sum, cudaStream_t stream);

/* values[i] = access_value(i, seed). */
cudaError_t access_fill(uint32_t *values, size_t count, uint32_t seed, cudaStream_t stream);

/* *sum += `accesses` elements at random places. */
cudaError_t access_gather(const uint32_t *values, size_t count, size_t accesses, uint32_t seed,
                          uint32_t *sum, cudaStream_t stream);

/* values[i] += 1. */
cudaError_t access_increment(uint32_t *values, size_t count, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
