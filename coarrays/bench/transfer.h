/* transfer.h: putting and getting a block of doubles, by variant. */
#ifndef COARRAYS_BENCH_TRANSFER_H
#define COARRAYS_BENCH_TRANSFER_H

#include <stdint.h>

#include "kernels.h"

/* The Fortran variants have these procedures in bench/transfer_coarray.f90 and
 * transfer_mpi.f90. */
struct transfer_kernels {
    /* A coarray of `length` doubles and room for what a transfer of `elements` at
     * `stride` needs; this image's part of it. Collective. */
    double *(*open)(int64_t length, int64_t elements, int64_t stride);
    void (*close)(void);

    /* `times` transfers between `local`, without gaps, and the image's coarray,
     * where the elements lie `stride` doubles apart from index `first` (from 0).
     * After the puts they are complete at the image; each get is complete before
     * the next. */
    void (*put)(int image, int64_t first, int64_t elements, int64_t stride, int times,
                const double *local);
    void (*get)(int image, int64_t first, int64_t elements, int64_t stride, int times,
                double *local);

    /* Waits for all images, and serves their transfers meanwhile. */
    void (*wait)(void);
};

struct transfer_kernels transfer_of(const struct kernels *kernels);

/* caf.h, and plain copies within this image; both are there at all times. */
extern const struct transfer_kernels transfer_caf, transfer_memcpy;

#endif
