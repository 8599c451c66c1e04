/* cache.h: how large the caches are that measured data must not stay in. */
#ifndef SPMV_BENCH_CACHE_H
#define SPMV_BENCH_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the last-level caches that the CPU's cores have together, or the device's. */
size_t spmv_cache_bytes(bool on_device);

/* How many times data of `bytes` must exist so that no cache keeps them until their next turn:
 * twice the last-level cache in total, at least once, at most `maximum` times. */
size_t spmv_cache_turns(size_t bytes, bool on_device, size_t maximum);

#endif
