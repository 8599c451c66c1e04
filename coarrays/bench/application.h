/* application.h: what the applications in coarrays share: their variants, their options, and how
 * they are measured. */
#ifndef COARRAYS_BENCH_APPLICATION_H
#define COARRAYS_BENCH_APPLICATION_H

#include <stdbool.h>
#include <stddef.h>

#include "common/harness/program.h"

#include "kernels.h"

enum application_variant {
    DATAMOTION,
    DATAMOTION_C,
    OPENCOARRAYS,
    LIBCAF_MPI,
    ELEMENT,
    MPI_FORTRAN,
    MPI_C,
    APPLICATION_VARIANTS
};
extern const struct variant application_variants[];

/* ---- options ---- */

struct application_options {
    const char *scaling;
    double slow_limit_s;
};
extern struct application_options application_options;

#define APPLICATION_OPTIONS                                                                        \
    {"scaling",                                                                                    \
     OPTION_TEXT,                                                                                  \
     &application_options.scaling,                                                                 \
     "LIST",                                                                                       \
     "strong: the size is that of all images together; weak: of each image",                       \
     0,                                                                                            \
     0},                                                                                           \
    {                                                                                              \
        "slow-limit", OPTION_REAL, &application_options.slow_limit_s, "SECONDS",                   \
            "a variant whose first warm-up run takes longer is recorded from that run alone",      \
            0.001, 1e6                                                                             \
    }

enum application_scaling { STRONG, WEAK, SCALINGS };
extern const char *const application_scalings[];

/* The grids of a list such as 64x64x128,32x32x32. Ends the program with a sentence if it is none.
 */
struct application_grid {
    int size[3];
};
struct application_grids {
    struct application_grid *grids; /* free() */
    size_t count;
};
struct application_grids application_read_grids(const char *option, const char *list);
void application_grid_text(struct application_grid grid, char *text, size_t bytes);

/* ---- kernels ---- */

/* Starts the library of variant datamotion-c, if that is wanted. Collective. */
void application_start(const struct run *run);
void application_stop(const struct run *run);

/* Loads the Fortran kernels of the wanted variants, one entry for each variant; of the group
 * "unoptimized" those of coarrays only. The handle stays NULL for the C variants, for what is not
 * wanted, and for what cannot be had: that is recorded as waived, once. Collective. */
void application_load(struct run *run, const char *group, struct kernels *kernels);
void application_unload(struct kernels *kernels);

/* What an application's variants can do: a struct of nothing but function pointers, which of the
 * Fortran variants are the procedures NAME_coarray_ACTION or, of mpi, NAME_mpi_ACTION. */
struct application_topic {
    const char *name;
    const char *const *actions; /* in the order of the struct, ended by NULL */
    const void *caf, *mpi_c;    /* the structs of the variants in C */
};

/* Fills the struct of a variant. False: it takes no part. `libraries` are from application_load. */
bool application_find(const struct run *run, const struct kernels *libraries,
                      const struct application_topic *topic, enum application_variant variant,
                      void *functions);

/* ---- programs on grids ---- */

/* The variants that take part, and what each can do: an array of the topic's structs. */
struct application_set {
    size_t count;
    enum application_variant variant[APPLICATION_VARIANTS];
    void *functions;
};

/* Measures every grid of the option --grid in every scaling that was chosen, after `check` has seen
 * all of them and ended the program if one cannot be had. Collective. */
void application_run_grids(
    struct run *run, const char *grid_list, const struct application_topic *topic,
    void (*check)(enum application_scaling scaling, struct application_grid grid),
    void (*measure)(struct run *run, const struct application_set *set,
                    enum application_scaling scaling, struct application_grid grid));

/* ---- samples ---- */

/* measure(), but a variant whose first warm-up run takes longer than --slow-limit keeps that one as
 * its only sample. The subjects are released with measure_free(). */
void application_measure(struct run *run, struct subject *subjects, size_t count);

#endif
