/* application.h: what the applications in coarrays share: their variants, their options, and how
 * they are measured. */
#ifndef COARRAYS_BENCH_APPLICATION_H
#define COARRAYS_BENCH_APPLICATION_H

#include <stddef.h>

#include "common/harness/compare.h"
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

enum application_scaling { STRONG, WEAK };
extern const char *const application_scalings[];
extern struct option_choices application_scaling;
extern double application_slow_limit_s;

/* clang-format off */
#define APPLICATION_OPTIONS                                                                        \
    {"scaling", OPTION_CHOICES, &application_scaling, "LIST",                                      \
     "strong: the size is that of all images together; weak: of each image", 0, 0},                \
    {"slow-limit", OPTION_REAL, &application_slow_limit_s, "SECONDS",                              \
     "a variant whose first warm-up run takes longer is recorded from that run alone", 0.001, 1e6}
/* clang-format on */

struct application_grid {
    int size[3];
};

/* The grids of a list such as 64x64x128,32x32x32, which live as long as the program. A malformed
 * grid ends the program with a sentence. */
struct application_grid *application_read_grids(const char *option,
                                                const struct option_words *list);

/* The text of a grid, which lives until the scope is closed. */
const char *application_grid_text(struct application_grid grid);

/* ---- variants ---- */

/* What an application's variants can do: a structure of nothing but function pointers, which in the
 * Fortran variants are the procedures NAME_coarray_ACTION or, of mpi, NAME_mpi_ACTION. */
struct application_topic {
    const char *name;
    const char *const *actions; /* in the order of the structure, ended by NULL */
    const void *caf, *mpi_c;    /* the structures of the variants in C */
};

/* Starts the library of variant datamotion-c, if it is wanted, and ends it. Collective. */
void application_start(const struct run *run);
void application_stop(const struct run *run);

/* Loads the Fortran kernels of a group (KERNELS...) and fills `functions`, an array of the topic's
 * structures with one for each variant. Bit v of the result: variant v takes part. `kernels` has an
 * element for each variant; images_unload releases them. Collective. */
unsigned application_load(struct run *run, const char *group, const struct application_topic *topic,
                          struct kernels *kernels, void *functions);

/* ---- configurations and samples ---- */

/* A chosen scaling, and a size by its number in the list of the program's option. */
typedef void application_visit(struct run *run, enum application_scaling scaling, size_t size);

/* Calls `visit` for each chosen scaling and each of `sizes` sizes. */
void application_each(struct run *run, size_t sizes, application_visit *visit);

/* Has all configurations checked, loads the variants (application_load), and has each
 * configuration measured. application_available: the variants that take part. Collective. */
void application_run(struct run *run, size_t sizes, const struct application_topic *topic,
                     void *functions, application_visit *check, application_visit *measure);
extern unsigned application_available;

/* `measure` of a comparison: as measure(), but a variant whose first warm-up run takes longer than
 * --slow-limit keeps that one as its only sample. */
void application_measure(struct run *run, void *const *tasks, struct subject *subjects,
                         size_t count);

#endif
