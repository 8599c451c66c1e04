/* partition_prelude.h: what a kernel sees of CUDA when partition-analyse compiles it.
 *
 * Stands for CUDA's own headers, which clang 14 cannot read beyond CUDA 11. Only what matters to
 * the analysis has a meaning: coordinates and barriers are calls that partition-wrap recognises. */
#ifndef PARTITION_PRELUDE_H
#define PARTITION_PRELUDE_H

#define __host__     __attribute__((host))
#define __global__   __attribute__((global))
#define __device__   __attribute__((device, always_inline))
#define __shared__   __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__
#define __noinline__
#define __restrict__ __restrict
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))

typedef unsigned long size_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define NULL        __null
#define INFINITY    __builtin_huge_valf()
#define NAN         __builtin_nanf("")
#define M_PI        3.14159265358979323846
#define FLT_MAX     __FLT_MAX__
#define FLT_MIN     __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define DBL_MAX     __DBL_MAX__
#define DBL_MIN     __DBL_MIN__
#define DBL_EPSILON __DBL_EPSILON__
#define INT_MAX     __INT_MAX__
#define INT_MIN     (-__INT_MAX__ - 1)
#define UINT_MAX    (2u * __INT_MAX__ + 1u)
#define CHAR_BIT    8
/* Of every GPU so far. A constant, as kernels divide by it. */
#define warpSize 32
/* What fails ends the program: what it has written by then is nobody's. */
#define assert(condition) ((void)(condition))

#define PARTITION_PURE __attribute__((device, const, nothrow))

extern "C" {
/* What partition-repair puts in place of what could not be compiled. */
__attribute__((host, device, nothrow)) void partition_unreadable(const char *why);
PARTITION_PURE int partition_thread(int), partition_block(int);
PARTITION_PURE int partition_block_size(int), partition_grid_size(int);
__attribute__((device, nothrow)) void partition_barrier(void);
}

/* Signed, unlike CUDA's: the overflow of signed integers is undefined, so that indices computed
 * from coordinates are affine. PARTITION_UNSIGNED gives CUDA's type: partition-wrap compares both
 * and refuses kernels in which the sign makes a difference. */
#ifdef PARTITION_UNSIGNED
typedef unsigned int partition_coordinate;
#else
typedef int partition_coordinate;
#endif
/* Members are calls, not values of a temporary, which would turn branches into values. */
#define PARTITION_MEMBER(name, function, dimension)                                                \
    __declspec(property(get = get_##name)) partition_coordinate name;                              \
    __device__ partition_coordinate get_##name() const                                             \
    {                                                                                              \
        return (partition_coordinate)function(dimension);                                          \
    }
#define PARTITION_TRIPLE(name, function)                                                           \
    struct function##_triple {                                                                     \
        PARTITION_MEMBER(x, function, 0)                                                           \
        PARTITION_MEMBER(y, function, 1)                                                           \
        PARTITION_MEMBER(z, function, 2)                                                           \
    };                                                                                             \
    extern const __attribute__((device)) function##_triple name;
PARTITION_TRIPLE(threadIdx, partition_thread)
PARTITION_TRIPLE(blockIdx, partition_block)
PARTITION_TRIPLE(blockDim, partition_block_size)
PARTITION_TRIPLE(gridDim, partition_grid_size)
#define __syncthreads() partition_barrier()
#define __syncwarp(...) partition_barrier()

#define __threadfence_block() partition_barrier()

#include "partition_functions.h"
#define VECTOR_FUNCTION static __device__ inline
#include "vector_types.h"

#endif
