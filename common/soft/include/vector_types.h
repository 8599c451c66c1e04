/* vector_types.h: CUDA's built-in vector types for C and C++, with CUDA's sizes and alignments
 * (two- and four-element vectors can be loaded at once, three-element ones are packed). */
#ifndef SOFT_VECTOR_TYPES_H
#define SOFT_VECTOR_TYPES_H

/* How make_float4() and the like are declared: partition-analyse needs functions of the device. */
#ifndef VECTOR_FUNCTION
#define VECTOR_FUNCTION static inline
#endif

/* Defines name1..name4 and make_name1..make_name4; aligned2 and aligned4 are in bytes. */
#define SOFT_VECTORS(type, name, aligned2, aligned4)                                               \
    typedef struct name##1                                                                         \
    {                                                                                              \
        type x;                                                                                    \
    }                                                                                              \
    name##1;                                                                                       \
    typedef struct __attribute__((aligned(aligned2))) name##2                                      \
    {                                                                                              \
        type x, y;                                                                                 \
    }                                                                                              \
    name##2;                                                                                       \
    typedef struct name##3                                                                         \
    {                                                                                              \
        type x, y, z;                                                                              \
    }                                                                                              \
    name##3;                                                                                       \
    typedef struct __attribute__((aligned(aligned4))) name##4                                      \
    {                                                                                              \
        type x, y, z, w;                                                                           \
    }                                                                                              \
    name##4;                                                                                       \
    VECTOR_FUNCTION name##1 make_##name##1(type x)                                                 \
    {                                                                                              \
        name##1 v = {x};                                                                           \
        return v;                                                                                  \
    }                                                                                              \
    VECTOR_FUNCTION name##2 make_##name##2(type x, type y)                                         \
    {                                                                                              \
        name##2 v = {x, y};                                                                        \
        return v;                                                                                  \
    }                                                                                              \
    VECTOR_FUNCTION name##3 make_##name##3(type x, type y, type z)                                 \
    {                                                                                              \
        name##3 v = {x, y, z};                                                                     \
        return v;                                                                                  \
    }                                                                                              \
    VECTOR_FUNCTION name##4 make_##name##4(type x, type y, type z, type w)                         \
    {                                                                                              \
        name##4 v = {x, y, z, w};                                                                  \
        return v;                                                                                  \
    }

SOFT_VECTORS(signed char, char, 2, 4)
SOFT_VECTORS(unsigned char, uchar, 2, 4)
SOFT_VECTORS(short, short, 4, 8)
SOFT_VECTORS(unsigned short, ushort, 4, 8)
SOFT_VECTORS(int, int, 8, 16)
SOFT_VECTORS(unsigned int, uint, 8, 16)
SOFT_VECTORS(long long, longlong, 16, 16)
SOFT_VECTORS(unsigned long long, ulonglong, 16, 16)
SOFT_VECTORS(float, float, 8, 16)
SOFT_VECTORS(double, double, 16, 16)

/* Extents of a grid or a block; an extent that is not given is 1 in C++ (C has to give all three).
 */
typedef struct dim3 {
    unsigned x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
#endif
} dim3;

#endif
