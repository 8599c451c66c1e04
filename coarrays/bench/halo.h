/* halo.h: exchanging the halos of a square of cells, by variant. */
#ifndef COARRAYS_BENCH_HALO_H
#define COARRAYS_BENCH_HALO_H

#include <stdint.h>

#include "halo_grid.h"
#include "kernels.h"

/* The Fortran variants have these procedures in bench/halo_coarray.f90 and halo_mpi.f90. */
struct halo_kernels {
    /* x(0:edge+1, 0:edge+1) on every image; this image's. `neighbour` has SIDES entries, see
     * halo_place. Collective. */
    double *(*open)(int64_t edge, const int *neighbour);
    void (*close)(void);

    /* Does that many exchanges. When one returns, this image's halo is what the neighbours had when
     * they called it, and stays so until this image's next call. */
    void (*exchange)(int times);
};

struct halo_kernels halo_of(const struct kernels *kernels);

/* caf.h, and MPI from C; both are there at all times. */
extern const struct halo_kernels halo_caf, halo_mpi;

#endif
