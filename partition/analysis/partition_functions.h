/* partition_functions.h: the functions of CUDA that a kernel may call when partition-analyse
 * compiles it.
 *
 * Arithmetic is declared as pure, as its values never decide what is accessed: where one does, the
 * access or its condition is not affine, and the kernel is refused for that. What is declared
 * without being pure makes a kernel refused, with the function's name. */
#ifndef PARTITION_FUNCTIONS_H
#define PARTITION_FUNCTIONS_H

#define PARTITION_IMPURE __attribute__((device))

/* ---- of one warp: values that other threads hold ---- */

template <class T> PARTITION_PURE T __shfl_sync(unsigned, T, int, int = 32);
template <class T> PARTITION_PURE T __shfl_up_sync(unsigned, T, unsigned, int = 32);
template <class T> PARTITION_PURE T __shfl_down_sync(unsigned, T, unsigned, int = 32);
template <class T> PARTITION_PURE T __shfl_xor_sync(unsigned, T, int, int = 32);
PARTITION_PURE int __all_sync(unsigned, int), __any_sync(unsigned, int);
PARTITION_PURE unsigned __ballot_sync(unsigned, int), __activemask();

/* ---- loads and stores with a cache policy ---- */

#define PARTITION_LOAD(name)                                                                       \
    template <class T> __device__ inline T name(const T *from)                                     \
    {                                                                                              \
        return *from;                                                                              \
    }
#define PARTITION_STORE(name)                                                                      \
    template <class T> __device__ inline void name(T *to, T value)                                 \
    {                                                                                              \
        *to = value;                                                                               \
    }
PARTITION_LOAD(__ldg)
PARTITION_LOAD(__ldca)
PARTITION_LOAD(__ldcg)
PARTITION_LOAD(__ldcs)
PARTITION_LOAD(__ldlu)
PARTITION_LOAD(__ldcv)
PARTITION_STORE(__stwb)
PARTITION_STORE(__stcg)
PARTITION_STORE(__stcs)
PARTITION_STORE(__stwt)

/* ---- arithmetic ---- */

#define PARTITION_EXTREME(name)                                                                    \
    PARTITION_PURE int name(int, int);                                                             \
    PARTITION_PURE unsigned name(unsigned, unsigned);                                              \
    PARTITION_PURE unsigned name(int, unsigned);                                                   \
    PARTITION_PURE unsigned name(unsigned, int);                                                   \
    PARTITION_PURE long name(long, long);                                                          \
    PARTITION_PURE unsigned long name(unsigned long, unsigned long);                               \
    PARTITION_PURE long long name(long long, long long);                                           \
    PARTITION_PURE unsigned long long name(unsigned long long, unsigned long long);                \
    PARTITION_PURE float name(float, float);                                                       \
    PARTITION_PURE double name(double, double);                                                    \
    PARTITION_PURE double name(float, double);                                                     \
    PARTITION_PURE double name(double, float);                                                     \
    PARTITION_PURE float name(int, float);                                                         \
    PARTITION_PURE float name(float, int);                                                         \
    PARTITION_PURE double name(int, double);                                                       \
    PARTITION_PURE double name(double, int);                                                       \
    PARTITION_PURE long name(int, long);                                                           \
    PARTITION_PURE long name(long, int);
PARTITION_EXTREME(min)
PARTITION_EXTREME(max)

PARTITION_PURE bool isnan(float), isnan(double), isinf(float), isinf(double);
PARTITION_PURE bool isfinite(float), isfinite(double), signbit(float), signbit(double);

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
PARTITION_UNARY(rcbrt);
PARTITION_UNARY(fabs);
PARTITION_UNARY(exp);
PARTITION_UNARY(exp2);
PARTITION_UNARY(exp10);
PARTITION_UNARY(expm1);
PARTITION_UNARY(log);
PARTITION_UNARY(log2);
PARTITION_UNARY(log10);
PARTITION_UNARY(log1p);
PARTITION_UNARY(logb);
PARTITION_UNARY(sin);
PARTITION_UNARY(cos);
PARTITION_UNARY(tan);
PARTITION_UNARY(sinpi);
PARTITION_UNARY(cospi);
PARTITION_UNARY(asin);
PARTITION_UNARY(acos);
PARTITION_UNARY(atan);
PARTITION_UNARY(sinh);
PARTITION_UNARY(cosh);
PARTITION_UNARY(tanh);
PARTITION_UNARY(asinh);
PARTITION_UNARY(acosh);
PARTITION_UNARY(atanh);
PARTITION_UNARY(erf);
PARTITION_UNARY(erfc);
PARTITION_UNARY(erfinv);
PARTITION_UNARY(erfcinv);
PARTITION_UNARY(normcdf);
PARTITION_UNARY(normcdfinv);
PARTITION_UNARY(lgamma);
PARTITION_UNARY(tgamma);
PARTITION_UNARY(floor);
PARTITION_UNARY(ceil);
PARTITION_UNARY(round);
PARTITION_UNARY(trunc);
PARTITION_UNARY(rint);
PARTITION_UNARY(nearbyint);
PARTITION_BINARY(fmax);
PARTITION_BINARY(fmin);
PARTITION_BINARY(fdim);
PARTITION_BINARY(pow);
PARTITION_BINARY(fmod);
PARTITION_BINARY(remainder);
PARTITION_BINARY(copysign);
PARTITION_BINARY(nextafter);
PARTITION_BINARY(atan2);
PARTITION_BINARY(hypot);
PARTITION_BINARY(rhypot);
PARTITION_PURE float fmaf(float, float, float), ldexpf(float, int);
PARTITION_PURE double fma(double, double, double), ldexp(double, int);
PARTITION_PURE float __expf(float), __exp10f(float), __logf(float), __log2f(float);
PARTITION_PURE float __log10f(float), __sinf(float), __cosf(float), __tanf(float);
PARTITION_PURE float __fdividef(float, float), __powf(float, float), __saturatef(float);
PARTITION_PURE float __fadd_rn(float, float), __fsub_rn(float, float), __fmul_rn(float, float);
PARTITION_PURE float __fdiv_rn(float, float), __fmaf_rn(float, float, float);
PARTITION_PURE float __fsqrt_rn(float), __frsqrt_rn(float), __frcp_rn(float);
PARTITION_PURE double __dadd_rn(double, double), __dsub_rn(double, double);
PARTITION_PURE double __dmul_rn(double, double), __ddiv_rn(double, double);
PARTITION_PURE double __fma_rn(double, double, double), __dsqrt_rn(double), __drcp_rn(double);
PARTITION_PURE unsigned umin(unsigned, unsigned), umax(unsigned, unsigned);
PARTITION_PURE long long llmin(long long, long long), llmax(long long, long long);
PARTITION_PURE unsigned long long ullmin(unsigned long long, unsigned long long);
PARTITION_PURE unsigned long long ullmax(unsigned long long, unsigned long long);
PARTITION_PURE unsigned __byte_perm(unsigned, unsigned, unsigned);
PARTITION_PURE unsigned __funnelshift_l(unsigned, unsigned, unsigned);
PARTITION_PURE unsigned __funnelshift_r(unsigned, unsigned, unsigned);
PARTITION_PURE unsigned __funnelshift_lc(unsigned, unsigned, unsigned);
PARTITION_PURE unsigned __funnelshift_rc(unsigned, unsigned, unsigned);
PARTITION_PURE int __hadd(int, int), __rhadd(int, int), __dp4a(int, int, int);
PARTITION_PURE unsigned __uhadd(unsigned, unsigned), __urhadd(unsigned, unsigned);
PARTITION_PURE unsigned __vadd2(unsigned, unsigned), __vadd4(unsigned, unsigned);
PARTITION_PURE unsigned __vsub2(unsigned, unsigned), __vsub4(unsigned, unsigned);
PARTITION_PURE float norm3df(float, float, float), rnorm3df(float, float, float);
PARTITION_PURE double norm3d(double, double, double), rnorm3d(double, double, double);
PARTITION_PURE float j0f(float), j1f(float), y0f(float), y1f(float), erfcxf(float);
PARTITION_PURE double j0(double), j1(double), y0(double), y1(double), erfcx(double);
PARTITION_PURE int ilogbf(float), ilogb(double);
PARTITION_PURE long lrintf(float), lrint(double), lroundf(float), lround(double);
PARTITION_PURE long long llrintf(float), llrint(double), llroundf(float), llround(double);
PARTITION_PURE float scalbnf(float, int);
PARTITION_PURE double scalbn(double, int);
PARTITION_PURE float __fadd_rz(float, float), __fmul_rz(float, float), __fadd_ru(float, float);
PARTITION_PURE float __fadd_rd(float, float), __fmul_ru(float, float), __fmul_rd(float, float);
PARTITION_PURE float __fmaf_rz(float, float, float), __fsqrt_rz(float), __frcp_rz(float);
PARTITION_PURE unsigned __float2uint_ru(float), __float2uint_rd(float);
PARTITION_PURE int __double2int_ru(double), __double2int_rd(double);
PARTITION_PURE unsigned __double2uint_rn(double), __double2uint_rz(double);
PARTITION_PURE long long __float2ll_rn(float), __float2ll_rz(float);
PARTITION_PURE long long __double2ll_rn(double), __double2ll_rz(double);
PARTITION_PURE float __int2float_rz(int), __uint2float_rz(unsigned), __ll2float_rn(long long);
PARTITION_PURE float __ull2float_rn(unsigned long long), __double2float_rz(double);
PARTITION_PURE double __uint2double_rn(unsigned), __ll2double_rn(long long);
PARTITION_PURE double __hiloint2double(int, int);
PARTITION_PURE int __double2hiint(double), __double2loint(double);
PARTITION_PURE int abs(int);
PARTITION_PURE long labs(long);
PARTITION_PURE long long llabs(long long);
PARTITION_PURE int __mul24(int, int), __mulhi(int, int), __sad(int, int, unsigned);
PARTITION_PURE unsigned __umul24(unsigned, unsigned), __umulhi(unsigned, unsigned);
PARTITION_PURE unsigned __usad(unsigned, unsigned, unsigned), __brev(unsigned);
PARTITION_PURE unsigned long long __brevll(unsigned long long);
PARTITION_PURE unsigned long long __umul64hi(unsigned long long, unsigned long long);
PARTITION_PURE long long __mul64hi(long long, long long);
PARTITION_PURE int __popc(unsigned), __popcll(unsigned long long), __clz(int), __clzll(long long);
PARTITION_PURE int __ffs(int), __ffsll(long long);
PARTITION_PURE int __float2int_rn(float), __float2int_rz(float), __float2int_ru(float);
PARTITION_PURE int __float2int_rd(float), __double2int_rn(double), __double2int_rz(double);
PARTITION_PURE unsigned __float2uint_rn(float), __float2uint_rz(float);
PARTITION_PURE float __int2float_rn(int), __uint2float_rn(unsigned), __double2float_rn(double);
PARTITION_PURE double __int2double_rn(int);
PARTITION_PURE int __float_as_int(float);
PARTITION_PURE unsigned __float_as_uint(float);
PARTITION_PURE float __int_as_float(int), __uint_as_float(unsigned);
PARTITION_PURE long long __double_as_longlong(double);
PARTITION_PURE double __longlong_as_double(long long);
}

static __device__ inline void sincosf(float x, float *sine, float *cosine)
{
    *sine = sinf(x);
    *cosine = cosf(x);
}

static __device__ inline void __sincosf(float x, float *sine, float *cosine)
{
    *sine = __sinf(x);
    *cosine = __cosf(x);
}

static __device__ inline void sincospif(float x, float *sine, float *cosine)
{
    *sine = sinpif(x);
    *cosine = cospif(x);
}

static __device__ inline void sincos(double x, double *sine, double *cosine)
{
    *sine = sin(x);
    *cosine = cos(x);
}

/* ---- refused: they reach memory, the host or other blocks ---- */

extern "C" {
PARTITION_IMPURE long long clock64();
PARTITION_IMPURE int clock();
PARTITION_IMPURE void __nanosleep(unsigned), __trap(), __brkpt();
PARTITION_IMPURE void __threadfence(), __threadfence_system();
PARTITION_IMPURE int __syncthreads_count(int), __syncthreads_and(int), __syncthreads_or(int);
PARTITION_IMPURE int printf(const char *, ...);
}

/* The value has a type of its own: atomicAdd(&unsigned_counter, 1). */
#define PARTITION_ATOMIC(name)                                                                     \
    template <class T, class U> PARTITION_IMPURE T name(T *, U);                                   \
    template <class T, class U> PARTITION_IMPURE T name##_block(T *, U);                           \
    template <class T, class U> PARTITION_IMPURE T name##_system(T *, U);
PARTITION_ATOMIC(atomicAdd)
PARTITION_ATOMIC(atomicSub)
PARTITION_ATOMIC(atomicMin)
PARTITION_ATOMIC(atomicMax)
PARTITION_ATOMIC(atomicInc)
PARTITION_ATOMIC(atomicDec)
PARTITION_ATOMIC(atomicAnd)
PARTITION_ATOMIC(atomicOr)
PARTITION_ATOMIC(atomicXor)
PARTITION_ATOMIC(atomicExch)
template <class T, class U, class V> PARTITION_IMPURE T atomicCAS(T *, U, V);

#endif
