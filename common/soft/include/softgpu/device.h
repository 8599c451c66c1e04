/* device.h: what a kernel may use on the software GPU, by CUDA's names and with CUDA's meaning.
 * Included by <cuda_runtime.h> in C++; semantics follow the CUDA C++ Programming Guide, "C++
 * Language Extensions". README.md says what is not there. */
#ifndef SOFT_DEVICE_H
#define SOFT_DEVICE_H

#include "builtins.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define __global__
#define __device__
#define __host__
#define __managed__
#define __constant__
#define __shared__      thread_local /* one OS thread executes one block at a time */
#define __forceinline__ inline __attribute__((always_inline))
/* A hint. Headers of C++ write __attribute__((__noinline__)), which has to stay one. */
#define __noinline__
#define __launch_bounds__(...)
#ifndef __restrict__
#define __restrict__ __restrict
#endif

/* Declares `name` as the block's dynamic shared memory, an array of `type`, aligned to 128 bytes.
 */
#define dm_dynamic_shared(type, name) type *name = static_cast<type *>(soft_shared_memory)

static const int warpSize = 32;

/* ---- the loop over CUDA threads, and yielding ---- */

#if defined(__SANITIZE_THREAD__)
/* The sanitizer takes CUDA threads for threads, which must not be seen to share these variables. */
static inline bool soft_next_thread(void)
{
    return soft_next_row();
}
static inline void soft_pause(void)
{
    soft_count_pause();
}
#else
/* Ends the current CUDA thread; true if the next one is current now. */
static inline bool soft_next_thread(void)
{
    return ++threadIdx.x < soft_row_end || soft_next_row();
}
/* Part of everything that a spinning thread calls: yields once in a while. */
static inline void soft_pause(void)
{
    if (__builtin_expect(--soft_patience < 0, 0))
        soft_yield(0);
}
#endif

static inline void __nanosleep(unsigned ns)
{
    soft_yield(ns);
}
static inline long long clock64(void)
{
    soft_pause();
    return soft_clock_ns();
}
static inline void __trap(void)
{
    soft_trap();
}

/* ---- barriers and fences ---- */

static inline void __syncthreads(void)
{
    soft_barrier(0, 0);
}
static inline int __syncthreads_count(int predicate)
{
    return (int)soft_barrier(0, predicate).yes;
}
static inline int __syncthreads_or(int predicate)
{
    return soft_barrier(0, predicate).yes != 0;
}
static inline int __syncthreads_and(int predicate)
{
    soft_votes votes = soft_barrier(0, predicate);
    return votes.yes == votes.voters;
}
static inline void __threadfence(void)
{
    soft_fence();
    soft_pause();
}
static inline void __threadfence_block(void)
{
    __threadfence();
}
static inline void __threadfence_system(void)
{
    __threadfence();
}

/* ---- loads and stores with cache hints; __ldcg and __ldcv read what others write meanwhile ----
 */

template <class T> static inline T __ldg(const T *address)
{
    return *address;
}
template <class T> static inline T __ldcs(const T *address)
{
    return *address;
}
template <class T> static inline T __ldca(const T *address)
{
    return *address;
}
template <class T> static inline T __ldcg(const T *address)
{
    soft_pause();
    T value;
    if constexpr (sizeof(T) <= 8)
        __atomic_load(const_cast<T *>(address), &value, __ATOMIC_RELAXED);
    else
        value = *address;
    return value;
}
template <class T> static inline T __ldcv(const T *address)
{
    return __ldcg(address);
}
template <class T> static inline void __stcg(T *address, T value)
{
    if constexpr (sizeof(T) <= 8)
        __atomic_store(address, &value, __ATOMIC_RELAXED);
    else
        *address = value;
}
template <class T> static inline void __stwt(T *address, T value)
{
    __stcg(address, value);
}
template <class T> static inline void __stcs(T *address, T value)
{
    *address = value;
}
template <class T> static inline void __stwb(T *address, T value)
{
    *address = value;
}

#include "device_atomic.h"
#include "device_math.h"
#include "device_warp.h"

#endif
