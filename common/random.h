/* random.h: reproducible random numbers.
 *
 * Counter based: the i-th number of a seed is a function of (seed, i) alone, so any part of an
 * array can be filled or checked by any rank or thread in any order. */
#ifndef COMMON_RANDOM_H
#define COMMON_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* 64 well-mixed bits for (seed, index). Source: the finaliser of Steele, Lea and Flood, "Fast
 * splittable pseudorandom number generators", OOPSLA 2014, applied to a Weyl sequence. */
static inline uint64_t random_bits(uint64_t seed, uint64_t index)
{
    uint64_t z = (seed ^ 0x6a09e667f3bcc909u) + (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in [0, 1), 53 bits. */
static inline double random_uniform(uint64_t seed, uint64_t index)
{
    return (double)(random_bits(seed, index) >> 11) * 0x1.0p-53;
}

/* Uniform integer in [0, bound); bound > 0. The bias is below bound / 2^64. */
static inline uint64_t random_below(uint64_t seed, uint64_t index, uint64_t bound)
{
    return (uint64_t)(((unsigned __int128)random_bits(seed, index) * bound) >> 64);
}

/* Fills with uniform numbers in [-1, 1). */
void random_fill_float(float *values, size_t count, uint64_t seed);
void random_fill_double(double *values, size_t count, uint64_t seed);
void random_fill_bytes(void *bytes, size_t count, uint64_t seed);

/* Number of bytes that differ from what random_fill_bytes(.., seed) writes. */
size_t random_count_wrong_bytes(const void *bytes, size_t count, uint64_t seed);

#endif
