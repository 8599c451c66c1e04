/* asian_random.h: normally distributed numbers that are the same bit for bit on host and device.
 *
 * A counter gives 128 random bits, these two pairs of normals. All of it is integer arithmetic,
 * sums, products and fused products, which IEEE 754 rounds in one way only. A compiler may fuse a
 * product with a sum that uses it, and compilers differ in that: so no product here is added to
 * anything but by asian_fma. */
#ifndef COARRAYS_HETERO_ASIAN_RANDOM_H
#define COARRAYS_HETERO_ASIAN_RANDOM_H

#include <stdint.h>

#if defined(__CUDACC__)
#define ASIAN_ANYWHERE static __host__ __device__ __forceinline__
#else
/* Else loops that call them would not become SIMD code. */
#define ASIAN_ANYWHERE static inline __attribute__((always_inline))
#endif

/* On the software GPU: a function compiled for several generations of processors, of which the
 * loader takes the best: without FMA and AVX it is right but slow. Sanitizers cannot bear functions
 * that the loader chooses. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) &&     \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ASIAN_CLONES                                                                               \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), noinline))
#else
#define ASIAN_CLONES
#endif

struct asian_words {
    uint32_t w[4];
};
struct asian_key {
    uint32_t w[2];
};
struct asian_normals {
    float z[4];
};

/* Philox 4x32-10: 128 bits that look random, a function of counter and key. Source: Salmon, Moraes,
 * Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. */
ASIAN_ANYWHERE struct asian_words asian_philox(struct asian_words c, struct asian_key key)
{
#if defined(__CUDA_ARCH__)
#pragma unroll
#elif !defined(__CUDACC__)
#pragma GCC unroll 10
#endif
    for (int round = 0; round < 10; round++) {
        uint64_t even = (uint64_t)0xd2511f53u * c.w[0], odd = (uint64_t)0xcd9e8d57u * c.w[2];
        c.w[0] = (uint32_t)(odd >> 32) ^ c.w[1] ^ key.w[0];
        c.w[2] = (uint32_t)(even >> 32) ^ c.w[3] ^ key.w[1];
        c.w[1] = (uint32_t)odd;
        c.w[3] = (uint32_t)even;
        key.w[0] += 0x9e3779b9u;
        key.w[1] += 0xbb67ae85u;
    }
    return c;
}

ASIAN_ANYWHERE float asian_fma(float a, float b, float c)
{
#if defined(__CUDA_ARCH__)
    return __fmaf_rn(a, b, c);
#else
    return __builtin_fmaf(a, b, c);
#endif
}

/* A float's bits, and back. Not by memcpy(): where headers are fortified, which some distributions'
 * compilers do unasked, that is a function that checks, and GCC 13 makes no SIMD code of loops with
 * it, which is ten times as slow. A union is no better there. */
ASIAN_ANYWHERE int32_t asian_bits(float x)
{
#if defined(__CUDA_ARCH__)
    return __float_as_int(x);
#else
    int32_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
#endif
}

ASIAN_ANYWHERE float asian_float(int32_t bits)
{
#if defined(__CUDA_ARCH__)
    return __int_as_float(bits);
#else
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
#endif
}

/* The square root of normal x > 0 to about one unit in the last place: Newton's iteration for the
 * inverse root, from an estimate by halving the exponent. sqrtf() may set errno, and with that a
 * loop does not become SIMD code. */
ASIAN_ANYWHERE float asian_sqrt(float x)
{
    float y = asian_float(0x5f375a86 - (asian_bits(x) >> 1)), minus_half = -0.5f * x;
    y *= asian_fma(minus_half * y, y, 1.5f);
    y *= asian_fma(minus_half * y, y, 1.5f);
    y *= asian_fma(minus_half * y, y, 1.5f);
    return x * y;
}

/* 2^x for -126 < x < 127: the power of the nearest whole number times a polynomial, which was
 * fitted at Chebyshev's points; its relative error is below 3e-9 before rounding. */
ASIAN_ANYWHERE float asian_exp2(float x)
{
    const float shift = 12582912.0f; /* 1.5 * 2^23: what is added to it is rounded to whole */
    float shifted = x + shift, f = x - (shifted - shift);
    float p = 1.546144470e-04f;
    p = asian_fma(p, f, 1.340042818e-03f);
    p = asian_fma(p, f, 9.618056679e-03f);
    p = asian_fma(p, f, 5.550327227e-02f);
    p = asian_fma(p, f, 2.402265092e-01f);
    p = asian_fma(p, f, 6.931472067e-01f);
    p = asian_fma(p, f, 1.0f);
    return asian_float(asian_bits(p) + (int32_t)((uint32_t)asian_bits(shifted) << 23));
}

/* -2 ln(x) for normal 0 < x < 1: the exponent's share, and a polynomial of the mantissa's distance
 * from 1, relative error below 3e-8. */
ASIAN_ANYWHERE float asian_minus_2_log(float x)
{
    int32_t exponent = (asian_bits(x) - 0x3f3504f3) >> 23; /* mantissa in sqrt(1/2) .. sqrt(2) */
    float f = asian_float(asian_bits(x) - (int32_t)((uint32_t)exponent << 23)) - 1.0f;
    float p = -1.706662616e-01f;
    p = asian_fma(p, f, 2.853851641e-01f);
    p = asian_fma(p, f, -2.995480256e-01f);
    p = asian_fma(p, f, 3.315598579e-01f);
    p = asian_fma(p, f, -3.991186672e-01f);
    p = asian_fma(p, f, 5.000270437e-01f);
    p = asian_fma(p, f, -6.666838657e-01f);
    p = asian_fma(p, f, 9.999999276e-01f);
    p = asian_fma(p, f, -1.999999948e+00f);
    return asian_fma((float)exponent, -1.386294361f, f * p);
}

/* Two independent standard normals from 64 random bits. Source: Box and Muller, "A note on the
 * generation of random normal deviates", 1958; the angle is made of one within 45 degrees of the
 * axis and two bits that reflect it. The largest possible value is 5.9. */
ASIAN_ANYWHERE void asian_normal_pair(uint32_t radius_bits, uint32_t angle_bits, float *a, float *b)
{
    float radius =
        asian_sqrt(asian_minus_2_log(((float)(int32_t)(radius_bits >> 9) + 0.5f) * 0x1.0p-23f));
    float angle = ((float)((int32_t)(angle_bits << 2) >> 9) + 0.5f) * 1.872535141e-07f;
    float square = angle * angle;
    float sine = asian_fma(-1.950390425e-04f, square, 8.332035786e-03f);
    sine = asian_fma(sine, square, -1.666665067e-01f);
    sine = asian_fma(sine, square, 9.999999969e-01f) * angle;
    float cosine = asian_fma(-1.358577926e-03f, square, 4.165501492e-02f);
    cosine = asian_fma(cosine, square, -4.999985642e-01f);
    cosine = asian_fma(cosine, square, 9.999999723e-01f);
    /* One bit mirrors both, one exchanges them; written without branches, for SIMD. */
    int32_t mirror = (int32_t)(angle_bits & 0x80000000u);
    int32_t exchange = -(int32_t)(angle_bits >> 30 & 1);
    int32_t difference = (asian_bits(sine) ^ asian_bits(cosine)) & exchange;
    radius = asian_float(asian_bits(radius) ^ mirror);
    *a = radius * asian_float(asian_bits(cosine) ^ difference);
    *b = radius * asian_float(asian_bits(sine) ^ difference);
}

/* The four normals of a counter. */
ASIAN_ANYWHERE struct asian_normals asian_four_normals(struct asian_words counter,
                                                       struct asian_key key)
{
    struct asian_words bits = asian_philox(counter, key);
    struct asian_normals normals;
    asian_normal_pair(bits.w[0], bits.w[1], &normals.z[0], &normals.z[1]);
    asian_normal_pair(bits.w[2], bits.w[3], &normals.z[2], &normals.z[3]);
    return normals;
}

#endif
