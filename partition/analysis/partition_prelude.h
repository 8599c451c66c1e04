/* partition_prelude.h: what a kernel sees of CUDA when partition-analyse compiles it.
 *
 * Stands for CUDA's own headers, which clang 14 cannot read beyond CUDA 11. Only what matters to
 * the analysis has a meaning: coordinates and barriers are calls that partition-wrap recognises;
 * arithmetic functions are declared as pure, as their values never decide what is accessed. What is
 * declared without being pure (atomic functions) makes a kernel refused. */
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

#define PARTITION_PURE __attribute__((device, const, nothrow))

extern "C" {
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

/* Values that other threads of the warp hold. */
template <class T> PARTITION_PURE T __shfl_sync(unsigned, T, int, int = 32);
template <class T> PARTITION_PURE T __shfl_up_sync(unsigned, T, unsigned, int = 32);
template <class T> PARTITION_PURE T __shfl_down_sync(unsigned, T, unsigned, int = 32);
template <class T> PARTITION_PURE T __shfl_xor_sync(unsigned, T, int, int = 32);

#define PARTITION_EXTREME(name)                                                                    \
    PARTITION_PURE int name(int, int);                                                             \
    PARTITION_PURE unsigned name(unsigned, unsigned);                                              \
    PARTITION_PURE unsigned name(int, unsigned);                                                   \
    PARTITION_PURE unsigned name(unsigned, int);                                                   \
    PARTITION_PURE long name(long, long);                                                          \
    PARTITION_PURE unsigned long name(unsigned long, unsigned long);                               \
    PARTITION_PURE float name(float, float);                                                       \
    PARTITION_PURE double name(double, double);
PARTITION_EXTREME(min)
PARTITION_EXTREME(max)

#define PARTITION_UNARY(name)                                                                      \
    PARTITION_PURE float name##f(float);                                                           \
    PARTITION_PURE double name(double)
#define PARTITION_BINARY(name)                                                                     \
    PARTITION_PURE float name##f(float, float);                                                    \
    PARTITION_PURE double name(double, double)
extern "C" {
PARTITION_UNARY(sqrt);
PARTITION_UNARY(rsqrt);
PARTITION_UNARY(cbrt);
PARTITION_UNARY(fabs);
PARTITION_UNARY(exp);
PARTITION_UNARY(exp2);
PARTITION_UNARY(log);
PARTITION_UNARY(log2);
PARTITION_UNARY(log10);
PARTITION_UNARY(sin);
PARTITION_UNARY(cos);
PARTITION_UNARY(tan);
PARTITION_UNARY(asin);
PARTITION_UNARY(acos);
PARTITION_UNARY(atan);
PARTITION_UNARY(sinh);
PARTITION_UNARY(cosh);
PARTITION_UNARY(tanh);
PARTITION_UNARY(erf);
PARTITION_UNARY(floor);
PARTITION_UNARY(ceil);
PARTITION_UNARY(round);
PARTITION_UNARY(trunc);
PARTITION_UNARY(rint);
PARTITION_BINARY(fmax);
PARTITION_BINARY(fmin);
PARTITION_BINARY(pow);
PARTITION_BINARY(fmod);
PARTITION_BINARY(atan2);
PARTITION_BINARY(hypot);
PARTITION_PURE float fmaf(float, float, float);
PARTITION_PURE double fma(double, double, double);
PARTITION_PURE float __expf(float), __logf(float), __sinf(float), __cosf(float);
PARTITION_PURE float __fdividef(float, float), __powf(float, float), __frcp_rn(float);
PARTITION_PURE int abs(int);
}

template <class T> __attribute__((device)) T atomicAdd(T *, T);
template <class T> __attribute__((device)) T atomicSub(T *, T);
template <class T> __attribute__((device)) T atomicMin(T *, T);
template <class T> __attribute__((device)) T atomicMax(T *, T);
template <class T> __attribute__((device)) T atomicInc(T *, T);
template <class T> __attribute__((device)) T atomicDec(T *, T);
template <class T> __attribute__((device)) T atomicAnd(T *, T);
template <class T> __attribute__((device)) T atomicOr(T *, T);
template <class T> __attribute__((device)) T atomicXor(T *, T);
template <class T> __attribute__((device)) T atomicExch(T *, T);
template <class T> __attribute__((device)) T atomicCAS(T *, T, T);

#endif
