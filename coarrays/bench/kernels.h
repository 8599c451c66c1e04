/* kernels.h: the same Fortran source on several coarray libraries in one process.
 *
 * The Fortran kernels (bench/<name>_coarray.f90, bind(C) procedures) are compiled once and linked
 * into one shared object per coarray library, the MPI versions (bench/<name>_mpi.f90) into another.
 * A program loads them side by side, so that variants are sampled interleaved in one run.
 *
 *   variant       shared object              coarray library
 *   datamotion    kernels_datamotion.so      this one
 *   opencoarrays  kernels_opencoarrays.so    OpenCoarrays, if it was there when building
 *   libcaf-mpi    kernels_libcaf-mpi.so      this one with CAF_PATH=rma CAF_TRANSFER=datatype: the
 * thesis's LIBCAF_MPI element       kernels_element.so         this one with CAF_PATH=rma
 * CAF_TRANSFER=element: one message per element, emulates the thesis's Intel compiler mpi
 * kernels_mpi.so             none: MPI alone
 */
#ifndef COARRAYS_BENCH_KERNELS_H
#define COARRAYS_BENCH_KERNELS_H

#include <stdbool.h>

struct kernels {
    const char *variant;
    void *handle;       /* NULL: cannot be had, see reason */
    const char *reason; /* one sentence for record_waived */
};

/* Loads a variant's kernels and starts its coarray library. Collective over all ranks; MPI runs
 * already. `group` is the first part of the file name: "kernels", or "unoptimized" for those that
 * were compiled with -O0. Ends the program when a file that was built cannot be loaded. */
struct kernels kernels_load(const char *group, const char *variant);

/* The procedure of that name; ends the program if there is none. Assign it through a pointer to
 * function type: *(void **)&pointer = kernels_find(...). */
void *kernels_find(const struct kernels *kernels, const char *name);

/* Ends the coarray library of the variant, if it can be ended without MPI. Collective. */
void kernels_unload(struct kernels *kernels);

#endif
