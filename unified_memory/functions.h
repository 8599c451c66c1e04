/* functions.h: what memory that host and device share must be able to do. */
#ifndef UNIFIED_MEMORY_FUNCTIONS_H
#define UNIFIED_MEMORY_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A kernel adds an array through the pointer that cudaHostAlloc gave. Returns 0, or 1 if the kernel
 * failed or the sum is wrong. Source: Cui, 2.2.1. */
long host_pointer_wrong(size_t bytes, uint32_t seed);

/* Device memory in use, less that before the allocation. */
struct device_use {
    long long allocated_bytes; /* after the allocation */
    long long touched_bytes;   /* after a kernel wrote the array, or it was prefetched */
};

/* Allocates managed memory, populates it by a kernel or a prefetch, fills it on the host, changes
 * it on the device and on the host, with one pointer and no copy. Returns the elements that differ
 * from those that explicit copies give. Source: Cui, 2.2.3 and 3.3. */
long single_pointer_wrong(size_t bytes, uint32_t seed, bool prefetch, struct device_use *use);

#ifdef __cplusplus
}
#endif
#endif
