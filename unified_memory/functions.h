/* functions.h: what memory that host and device share must be able to do. */
#ifndef UNIFIED_MEMORY_FUNCTIONS_H
#define UNIFIED_MEMORY_FUNCTIONS_H

#include "ways.h"

/* Device memory in use, less that before the allocation. */
struct device_use {
    int64_t allocated_bytes; /* after the allocation */
    int64_t touched_bytes;   /* after a kernel wrote the array, or it was prefetched */
};

/* Elements or sums that are wrong.
 * WAY_ZERO_COPY: a kernel adds an array through the pointer that cudaHostAlloc gave; `use` is not
 * set. Source: Cui, 2.2.1.
 * WAY_FIRST_TOUCH, WAY_PREFETCH: allocates managed memory, populates it by a kernel or a prefetch,
 * fills it on the host, changes it on the device and on the host, with one pointer and no copy, and
 * compares it with what explicit copies give. Source: Cui, 2.2.3 and 3.3. */
long function_wrong(enum way way, size_t bytes, uint32_t seed, struct device_use *use);

#endif
