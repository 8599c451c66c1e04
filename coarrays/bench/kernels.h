/* kernels.h: the same Fortran source on several coarray libraries in one process.
 *
 * The Fortran kernels (bench/<name>_coarray.f90, bind(C) procedures) are compiled once and linked
 * into one shared object per coarray library, the MPI versions (bench/<name>_mpi.f90) into another.
 * A program loads them side by side, so that variants are sampled interleaved in one run.
 *
 *   variant       shared object              coarray library
 *   datamotion    kernels_datamotion.so      this one
 *   opencoarrays  kernels_opencoarrays.so    OpenCoarrays, if it was there when building
 *   libcaf-mpi    kernels_libcaf-mpi.so      this one with CAF_PATH=rma CAF_TRANSFER=datatype, as
 *                                            the thesis's LIBCAF_MPI
 *   element       kernels_element.so         this one with CAF_PATH=rma CAF_TRANSFER=element: one
 *                                            message per element, as the thesis's Intel compiler
 *   ucx           kernels_ucx.so             this one with CAF_PATH=rma CAF_CONDUIT=ucx: another
 *                                            transport, in the place of the thesis's GASNet; if UCX
 *                                            was there when building
 *   mpi           kernels_mpi.so             none: MPI alone */
#ifndef COARRAYS_BENCH_KERNELS_H
#define COARRAYS_BENCH_KERNELS_H

#include <stdbool.h>

/* The groups of kernels: the first part of the shared objects' names. The second group, compiled
 * with -O0, has no MPI versions. */
#define KERNELS             "kernels"
#define KERNELS_UNOPTIMIZED "unoptimized"

struct kernels {
    const char *variant;
    void *handle;       /* NULL: not available, see reason */
    const char *reason; /* one sentence for record_waived */
};

/* Whether a group has kernels of a variant, built or not. */
bool kernels_exist(const char *group, const char *variant);

/* Loads the kernels of a variant that exist and starts its coarray library. Collective over all
 * ranks; MPI is running. Ends the program when a file that was built cannot be loaded. */
struct kernels kernels_load(const char *group, const char *variant);

/* Fills a structure of nothing but function pointers with the procedures PREFIX<name>, in the order
 * of the names, which end with NULL; ends the program if one is missing. */
void kernels_find(const struct kernels *kernels, const char *prefix, const char *const *names,
                  void *pointers);

/* Ends the coarray library of the variant, if it can be ended without MPI. Collective. */
void kernels_unload(struct kernels *kernels);

#endif
