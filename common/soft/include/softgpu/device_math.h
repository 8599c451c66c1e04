/* device_math.h: CUDA's arithmetic beyond <math.h> (part of device.h). The "fast" functions are the
 * exact ones here. */
#ifndef SOFT_DEVICE_MATH_H
#define SOFT_DEVICE_MATH_H

/* ---- min, max: as in CUDA a mixed call with an unsigned operand is unsigned ---- */

#define SOFT_MIN_MAX(result, a_type, b_type)                                                       \
    static inline result min(a_type a, b_type b)                                                   \
    {                                                                                              \
        return (result)a < (result)b ? (result)a : (result)b;                                      \
    }                                                                                              \
    static inline result max(a_type a, b_type b)                                                   \
    {                                                                                              \
        return (result)a > (result)b ? (result)a : (result)b;                                      \
    }
SOFT_MIN_MAX(int, int, int)
SOFT_MIN_MAX(unsigned, unsigned, unsigned)
SOFT_MIN_MAX(unsigned, int, unsigned)
SOFT_MIN_MAX(unsigned, unsigned, int)
SOFT_MIN_MAX(long, long, long)
SOFT_MIN_MAX(unsigned long, unsigned long, unsigned long)
SOFT_MIN_MAX(unsigned long, long, unsigned long)
SOFT_MIN_MAX(unsigned long, unsigned long, long)
SOFT_MIN_MAX(long long, long long, long long)
SOFT_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
SOFT_MIN_MAX(unsigned long long, long long, unsigned long long)
SOFT_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef SOFT_MIN_MAX

#define SOFT_MIN_MAX(result, a_type, b_type, suffix)                                               \
    static inline result min(a_type a, b_type b)                                                   \
    {                                                                                              \
        return fmin##suffix(a, b);                                                                 \
    }                                                                                              \
    static inline result max(a_type a, b_type b)                                                   \
    {                                                                                              \
        return fmax##suffix(a, b);                                                                 \
    }
SOFT_MIN_MAX(float, float, float, f)
SOFT_MIN_MAX(double, double, double, )
SOFT_MIN_MAX(double, float, double, )
SOFT_MIN_MAX(double, double, float, )
#undef SOFT_MIN_MAX

/* ---- floating point ---- */

static inline float rsqrtf(float x)
{
    return 1.0f / sqrtf(x);
}
static inline double rsqrt(double x)
{
    return 1.0 / sqrt(x);
}
static inline float __saturatef(float x)
{
    return x >= 1.0f ? 1.0f : x > 0.0f ? x : 0.0f; /* NaN becomes 0 */
}

/* Macros, because glibc's <math.h> declares some of these names for itself. */
#define __expf(x)          expf(x)
#define __exp10f(x)        powf(10.0f, x)
#define __logf(x)          logf(x)
#define __log2f(x)         log2f(x)
#define __log10f(x)        log10f(x)
#define __sinf(x)          sinf(x)
#define __cosf(x)          cosf(x)
#define __tanf(x)          tanf(x)
#define __powf(x, y)       powf(x, y)
#define __sincosf(x, s, c) sincosf(x, s, c)

#define SOFT_ROUNDED(name, type, parameters, expression)                                           \
    static inline type name parameters                                                             \
    {                                                                                              \
        return expression;                                                                         \
    }
SOFT_ROUNDED(__fdividef, float, (float a, float b), a / b)
SOFT_ROUNDED(__fdiv_rn, float, (float a, float b), a / b)
SOFT_ROUNDED(__fadd_rn, float, (float a, float b), a + b)
SOFT_ROUNDED(__fsub_rn, float, (float a, float b), a - b)
SOFT_ROUNDED(__fmul_rn, float, (float a, float b), a *b)
SOFT_ROUNDED(__fmaf_rn, float, (float a, float b, float c), fmaf(a, b, c))
SOFT_ROUNDED(__fsqrt_rn, float, (float a), sqrtf(a))
SOFT_ROUNDED(__frcp_rn, float, (float a), 1.0f / a)
SOFT_ROUNDED(__frsqrt_rn, float, (float a), 1.0f / sqrtf(a))
SOFT_ROUNDED(__ddiv_rn, double, (double a, double b), a / b)
SOFT_ROUNDED(__dadd_rn, double, (double a, double b), a + b)
SOFT_ROUNDED(__dsub_rn, double, (double a, double b), a - b)
SOFT_ROUNDED(__dmul_rn, double, (double a, double b), a *b)
SOFT_ROUNDED(__fma_rn, double, (double a, double b, double c), fma(a, b, c))
SOFT_ROUNDED(__dsqrt_rn, double, (double a), sqrt(a))
SOFT_ROUNDED(__drcp_rn, double, (double a), 1.0 / a)
#undef SOFT_ROUNDED

/* ---- conversions: to an integer with the range's ends for what is outside, NaN becomes 0 ---- */

template <class To, class From> static inline To soft_saturated(From whole, From low, From high)
{
    const To lowest = (To)low, highest = (To)(~(unsigned long long)lowest);
    return whole != whole ? (To)0 : whole <= low ? lowest : whole >= high ? highest : (To)whole;
}
#define SOFT_TO_INTEGER(prefix, from, suffix, type, low, high)                                     \
    static inline type prefix##_rn(from x)                                                         \
    {                                                                                              \
        return soft_saturated<type, from>(rint##suffix(x), low, high);                             \
    }                                                                                              \
    static inline type prefix##_rz(from x)                                                         \
    {                                                                                              \
        return soft_saturated<type, from>(trunc##suffix(x), low, high);                            \
    }                                                                                              \
    static inline type prefix##_rd(from x)                                                         \
    {                                                                                              \
        return soft_saturated<type, from>(floor##suffix(x), low, high);                            \
    }                                                                                              \
    static inline type prefix##_ru(from x)                                                         \
    {                                                                                              \
        return soft_saturated<type, from>(ceil##suffix(x), low, high);                             \
    }
SOFT_TO_INTEGER(__float2int, float, f, int, -0x1p31f, 0x1p31f)
SOFT_TO_INTEGER(__float2uint, float, f, unsigned, 0.0f, 0x1p32f)
SOFT_TO_INTEGER(__float2ll, float, f, long long, -0x1p63f, 0x1p63f)
SOFT_TO_INTEGER(__float2ull, float, f, unsigned long long, 0.0f, 0x1p64f)
SOFT_TO_INTEGER(__double2int, double, , int, -0x1p31, 0x1p31)
SOFT_TO_INTEGER(__double2uint, double, , unsigned, 0.0, 0x1p32)
SOFT_TO_INTEGER(__double2ll, double, , long long, -0x1p63, 0x1p63)
SOFT_TO_INTEGER(__double2ull, double, , unsigned long long, 0.0, 0x1p64)
#undef SOFT_TO_INTEGER

#define SOFT_CONVERT(name, to, from)                                                               \
    static inline to name(from x)                                                                  \
    {                                                                                              \
        return (to)x;                                                                              \
    }
SOFT_CONVERT(__int2float_rn, float, int)
SOFT_CONVERT(__uint2float_rn, float, unsigned)
SOFT_CONVERT(__ll2float_rn, float, long long)
SOFT_CONVERT(__ull2float_rn, float, unsigned long long)
SOFT_CONVERT(__int2double_rn, double, int)
SOFT_CONVERT(__uint2double_rn, double, unsigned)
SOFT_CONVERT(__ll2double_rn, double, long long)
SOFT_CONVERT(__ull2double_rn, double, unsigned long long)
SOFT_CONVERT(__double2float_rn, float, double)
#undef SOFT_CONVERT

/* The same bits as another type. */
#define SOFT_REINTERPRET(name, to, from)                                                           \
    static inline to name(from x)                                                                  \
    {                                                                                              \
        to y;                                                                                      \
        static_assert(sizeof x == sizeof y, "same size");                                          \
        memcpy(&y, &x, sizeof y);                                                                  \
        return y;                                                                                  \
    }
SOFT_REINTERPRET(__float_as_int, int, float)
SOFT_REINTERPRET(__float_as_uint, unsigned, float)
SOFT_REINTERPRET(__int_as_float, float, int)
SOFT_REINTERPRET(__uint_as_float, float, unsigned)
SOFT_REINTERPRET(__double_as_longlong, long long, double)
SOFT_REINTERPRET(__longlong_as_double, double, long long)
#undef SOFT_REINTERPRET

/* ---- integers ---- */

static inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
static inline int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
static inline int __clz(int x)
{
    return x ? __builtin_clz((unsigned)x) : 32;
}
static inline int __clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
static inline int __ffs(int x)
{
    return __builtin_ffs(x);
}
static inline int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}
static inline unsigned long long __brevll(unsigned long long x)
{
    x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
    x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
    return __builtin_bswap64(x);
}
static inline unsigned __brev(unsigned x)
{
    return (unsigned)(__brevll(x) >> 32);
}
static inline int __mulhi(int a, int b)
{
    return (int)((long long)a * b >> 32);
}
static inline unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((unsigned long long)a * b >> 32);
}
static inline long long __mul64hi(long long a, long long b)
{
    return (long long)((__int128)a * b >> 64);
}
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
/* The low 32 bits of the product of the operands' low 24 bits. */
static inline int __mul24(int a, int b)
{
    return (int)(unsigned)((long long)((int)((unsigned)a << 8) >> 8) *
                           ((int)((unsigned)b << 8) >> 8));
}
static inline unsigned __umul24(unsigned a, unsigned b)
{
    return (a & 0xffffffu) * (b & 0xffffffu);
}
/* The upper word of (high:low) shifted left, the lower word shifted right, both by shift mod 32. */
static inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}

#endif
