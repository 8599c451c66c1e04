/* limits.h: what bounds a sparse product: the rate at which memory is copied, and, far above
 * it, the rate of a dense product. */
#ifndef SPMV_BENCH_LIMITS_H
#define SPMV_BENCH_LIMITS_H

#include <stdint.h>

#include <datamotion/spmv.h>
#include "repeat.h"

/* A streaming copy of `bytes` from and `bytes` to memory, in several pairs of buffers, used
 * round-robin. */
struct spmv_stream_copy {
    bool on_device;
    bool past_cache; /* on the CPU: stores that read no line before they write it */
    size_t bytes, turns;
    uint64_t seed;
    void *from[SPMV_TURNS_MAX], *to[SPMV_TURNS_MAX];
};

/* bytes is rounded up to whole cache lines. Ends the program if there is no memory. */
void spmv_stream_copy_open(struct spmv_stream_copy *copy, bool on_device, size_t bytes,
                           size_t turns, uint64_t seed);
void spmv_stream_copy_close(struct spmv_stream_copy *copy);

/* The operation of struct spmv_repeat. */
void spmv_stream_copy_operate(void *copy, size_t turn, cudaStream_t stream);

/* Copies all buffers anew and counts the bytes that differ. */
long spmv_stream_copy_verify(struct spmv_stream_copy *copy);

/* C <- A B for square matrices in column-major order: by OpenBLAS on the CPU, by cuBLAS on a GPU,
 * by a kernel on the software GPU. */
struct spmv_dense {
    bool on_device;
    enum spmv_precision precision;
    int rows;
    void *a, *b, *c; /* on the host */
    void *device_a, *device_b, *device_c;
    void *library; /* cuBLAS's handle */
};

/* Random factors, of a size at which the product is bound by arithmetic. */
void spmv_dense_open(struct spmv_dense *dense, bool on_device, enum spmv_precision precision,
                     uint64_t seed);
void spmv_dense_close(struct spmv_dense *dense);

/* The operation of struct spmv_repeat; the CPU uses as many threads as OpenMP would. */
void spmv_dense_operate(void *dense, size_t turn, cudaStream_t stream);

/* The product times a vector of signs against the same by two matrix-vector products, which takes
 * rows^2 steps (Freivalds 1977). The largest error in units of what is allowed, (rows + 2) eps
 * |A| |B| |signs|: at most 1 for a right product. */
double spmv_dense_verify(struct spmv_dense *dense, uint64_t seed);

#endif
