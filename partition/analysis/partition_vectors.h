/* partition_vectors.h: CUDA's vector types (float4, int2, ...) and make_float4() and the like, for
 * partition-analyse and for the oracle. Alignments are CUDA's. */
#ifndef PARTITION_VECTORS_H
#define PARTITION_VECTORS_H

#define PARTITION_VECTOR(type, name, alignment2, alignment4)                                       \
    struct name##1                                                                                 \
    {                                                                                              \
        type x;                                                                                    \
    };                                                                                             \
    struct __attribute__((aligned(alignment2))) name##2                                            \
    {                                                                                              \
        type x, y;                                                                                 \
    };                                                                                             \
    struct name##3                                                                                 \
    {                                                                                              \
        type x, y, z;                                                                              \
    };                                                                                             \
    struct __attribute__((aligned(alignment4))) name##4                                            \
    {                                                                                              \
        type x, y, z, w;                                                                           \
    };                                                                                             \
    static __device__ inline name##1 make_##name##1(type x)                                        \
    {                                                                                              \
        return {x};                                                                                \
    }                                                                                              \
    static __device__ inline name##2 make_##name##2(type x, type y)                                \
    {                                                                                              \
        return {x, y};                                                                             \
    }                                                                                              \
    static __device__ inline name##3 make_##name##3(type x, type y, type z)                        \
    {                                                                                              \
        return {x, y, z};                                                                          \
    }                                                                                              \
    static __device__ inline name##4 make_##name##4(type x, type y, type z, type w)                \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }

PARTITION_VECTOR(signed char, char, 2, 4)
PARTITION_VECTOR(unsigned char, uchar, 2, 4)
PARTITION_VECTOR(short, short, 4, 8)
PARTITION_VECTOR(unsigned short, ushort, 4, 8)
PARTITION_VECTOR(int, int, 8, 16)
PARTITION_VECTOR(unsigned, uint, 8, 16)
PARTITION_VECTOR(long, long, 16, 16)
PARTITION_VECTOR(unsigned long, ulong, 16, 16)
PARTITION_VECTOR(long long, longlong, 16, 16)
PARTITION_VECTOR(unsigned long long, ulonglong, 16, 16)
PARTITION_VECTOR(float, float, 8, 16)
PARTITION_VECTOR(double, double, 16, 16)

#endif
