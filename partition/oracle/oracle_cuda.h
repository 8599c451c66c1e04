/* oracle_cuda.h: what a kernel sees of CUDA when it is compiled for the oracle.
 *
 * CUDA threads run one after another, and barriers do nothing: values in shared memory are wrong.
 * What is checked is which elements are accessed, which for kernels that can be analysed does not
 * depend on values. */
#ifndef ORACLE_CUDA_H
#define ORACLE_CUDA_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <type_traits>
#include <utility>

#include "oracle_module.h"

#define __host__
#define __global__
#define __device__
#define __constant__
#define __shared__      static
#define __forceinline__ inline
#define __noinline__
#define __restrict__ __restrict
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))

#include "vector_types.h"

static struct oracle_triple threadIdx, blockIdx, blockDim, gridDim;

static inline void __syncthreads()
{
}
static inline void __syncwarp(unsigned = ~0u)
{
}

template <class T> static T __shfl_sync(unsigned, T value, int, int = 32)
{
    return value;
}
template <class T> static T __shfl_up_sync(unsigned, T value, unsigned, int = 32)
{
    return value;
}
template <class T> static T __shfl_down_sync(unsigned, T value, unsigned, int = 32)
{
    return value;
}
template <class T> static T __shfl_xor_sync(unsigned, T value, int, int = 32)
{
    return value;
}

template <class T> static T __ldg(const T *from)
{
    return *from;
}
static inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}

template <class A, class B> static std::common_type_t<A, B> min(A a, B b)
{
    return b < a ? b : a;
}
template <class A, class B> static std::common_type_t<A, B> max(A a, B b)
{
    return a < b ? b : a;
}
static inline float rsqrtf(float x)
{
    return 1 / sqrtf(x);
}
static inline double rsqrt(double x)
{
    return 1 / sqrt(x);
}

/* Kernels with these are refused; they need only compile. */
static inline long long clock64()
{
    return 0;
}
template <class T, class U> static T atomicAdd(T *at, U value)
{
    T old = *at;
    *at = old + value;
    return old;
}

/* Takes a kernel's arguments out of the list, whatever their types. */
template <auto kernel> struct oracle_call;
template <class... A, void (*kernel)(A...)> struct oracle_call<kernel> {
    template <size_t... I> static void unpack(void **arguments, std::index_sequence<I...>)
    {
        kernel(*static_cast<A *>(arguments[I])...);
    }
    static void call(void **arguments)
    {
        unpack(arguments, std::index_sequence_for<A...>{});
    }
};
#define ORACLE_KERNEL(name)                                                                        \
    {                                                                                              \
#name, oracle_call < name> ::call                                                          \
    }

/* At the end of a module, after its table of kernels. */
#define ORACLE_MODULE(kernels)                                                                     \
    extern "C" oracle_access *oracle_accessed;                                                     \
    extern "C" const struct oracle_module oracle_module;                                           \
    const struct oracle_module oracle_module = {kernels,   &threadIdx, &blockIdx,                  \
                                                &blockDim, &gridDim,   &oracle_accessed};

#endif
