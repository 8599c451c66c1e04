/* tunable.h: kernels whose thread block can have any two dimensions, with data on the device.
 *
 * tunable_create makes the arrays, fills the inputs with random numbers and computes the results on
 * the CPU; tunable_launch runs the kernel(s) once with a thread block; tunable_errors compares. */
#ifndef COMMON_WORKLOADS_TUNABLE_H
#define COMMON_WORKLOADS_TUNABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TUNABLE_ARRAYS = 8, TUNABLE_THREADS = 1024 /* of a block, at most */ };

/* Random numbers in [-1, 1) where it is an input, NaN where it is not. Both: read and written. */
struct tunable_array {
    const char *name;
    size_t count; /* floats */
    bool input, output;
};

struct tunable_dataset {
    const char *name; /* tiny (tests), small (software GPU), full (GPU) */
    size_t size;
};

struct tunable;

struct tunable_kind {
    const char *name;    /* as in Cui, table 5.1: 2dconv, 3dconv, 2mm, ... */
    const char *meaning; /* one sentence: what is computed, what x and y of the block divide, what
                            `size` is */
    const struct tunable_dataset *datasets; /* ended by {0} */
    size_t smallest, largest;               /* sizes */
    /* Sets arrays, array_count, flops, bytes and terms from size. */
    void (*describe)(struct tunable *tunable);
    /* Launches with the block, which has 1 to TUNABLE_THREADS threads and z == 1; arrays on the
     * device in the order of describe. Launches may follow one another on the stream. */
    cudaError_t (*launch)(const struct tunable *tunable, float *const *arrays, dim3 block,
                          cudaStream_t stream);
    /* The trusted CPU version: `arrays` hold the inputs and get the outputs; sums in double. */
    void (*reference)(const struct tunable *tunable, float *const *arrays);
};

struct tunable {
    const struct tunable_kind *kind;
    size_t size;
    int array_count;
    struct tunable_array arrays[TUNABLE_ARRAYS];
    double flops; /* of one launch */
    double bytes; /* that must cross the device's memory bus in one launch */
    double terms; /* products summed up per element, at most: the tolerance grows with it */
    float *inputs[TUNABLE_ARRAYS];   /* on the device, NULL if not an input: as they were */
    float *device[TUNABLE_ARRAYS];   /* on the device: what the kernel works on */
    float *expected[TUNABLE_ARRAYS]; /* on the device, NULL if not an output */
    unsigned *wrong;                 /* on the device */
};

/* Ended by NULL, in the order of table 5.1: 2dconv, 3dconv, 2mm, 3mm, gemm, gesummv, mvt, syr2k,
 * syrk, epcc, ldc. Source: Cui, 5.3.1. */
extern const struct tunable_kind *const tunable_kinds[];
extern const struct tunable_kind conv2d_tunable, conv3d_tunable, mm2_tunable, mm3_tunable,
    gemm_tunable, gesummv_tunable, mvt_tunable, syr2k_tunable, syrk_tunable, epcc_tunable,
    ldc_tunable;

const struct tunable_kind *tunable_kind_of(const char *name); /* or NULL */

/* The size that a data set's name or a number stands for; 0 if it is neither or out of bounds. */
size_t tunable_size(const struct tunable_kind *kind, const char *dataset);

/* Ends the program if there is no memory or on CUDA errors, as the functions below. */
struct tunable *tunable_create(const struct tunable_kind *kind, size_t size, uint64_t seed);
void tunable_release(struct tunable *tunable);

/* Inputs as they were, outputs NaN. Asynchronous. */
void tunable_reset(struct tunable *tunable, cudaStream_t stream);

/* cudaErrorInvalidConfiguration for a block that has no threads, too many, or a z; else the
 * launch's. */
cudaError_t tunable_launch(const struct tunable *tunable, dim3 block, cudaStream_t stream);

/* Elements of the outputs, after tunable_reset and one tunable_launch on this stream, that differ
 * from the CPU's by more than 1e-6 * terms + 1e-5 relative to the larger of 1 and its absolute
 * value, NaN included. Compares on the device and waits. */
long tunable_errors(struct tunable *tunable, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
