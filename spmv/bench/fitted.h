/* fitted.h: what the algorithms need, from a file of install-time samples: models of all of
 * them and, where there are enough, of every fourth (the thesis: 40 and 10 points). */
#ifndef SPMV_BENCH_FITTED_H
#define SPMV_BENCH_FITTED_H

#include "samples_file.h"

struct split_fitted {
    struct split_samples_file file;
    struct spmv_split_models models; /* halo_elements: set it for each problem */
    struct spmv_split_optimum optimum;
    bool is_flat; /* more rows do not take the GPU more time */
};
struct split_fits {
    int count; /* 0: the samples give no models */
    struct split_fitted of[2];
    char no_models[256]; /* count 0: why */
    char no_coarse[256]; /* count 1: why there are no models of every fourth sample */
};

/* Reads the samples of cubes, of so many threads of the CPU (0: the one number that there is). Ends
 * the program with a sentence if that is not possible. A GPU whose time does not grow with the rows
 * (small cubes: a launch is all there is; or a disturbed sample) gives no models: that is no error.
 * Every fourth sample alone may be too few, as a disturbed one weighs more there. */
struct split_fits split_fits_read(const char *path, int threads);
void split_fits_close(struct split_fits *fits);

enum split_algorithm { SPLIT_LINEAR, SPLIT_ITERATIVE, SPLIT_HYBRID };

/* The cut of one of the algorithms; halo_elements of the models is set. */
struct spmv_split split_by(enum split_algorithm algorithm, const struct spmv_split_models *models,
                           const struct spmv_split_optimum *optimum, int64_t rows, bool keep_both);

/* Elements that a cut through a cube of so many rows sends each way: a plane. */
double split_plane_elements(double rows);

#endif
