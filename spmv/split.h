/* split.h: how many rows the CPU gets, and how many the GPU, so that both end at the same time.
 *
 *     install-time samples --fit--> models --split--> rows of the CPU, rows of the GPU
 *
 * Source: Fanfarillo 2016, 3.3.1. All functions are pure: no measuring, no state. */
#ifndef SPMV_SPLIT_H
#define SPMV_SPLIT_H

#include "sparse.h"

/* Times of products of `count` sizes, ascending in rows. */
struct split_samples {
    size_t count;
    const double *rows, *time_s;
};

/* t = slope rows + offset; residuals of the fit. */
struct split_line {
    double slope, offset;
    double squared_error; /* sum of squared residuals, s^2 */
    double r2;
    double largest_relative_residual;
};
/* Least squares. False: fewer than two different sizes, or values that are no times. */
bool split_fit_line(const struct split_samples *samples, struct split_line *line,
                    struct sparse_error *error);

/* What moves between host and device for one product, added to the GPU's time: bytes of the larger
 * part's halo (thesis: 8 N^2 for N^3 rows, one plane each way). Both ways are used at once, so the
 * slower one counts. A rate of 0: that way costs nothing; without a halo the bus costs nothing. */
struct split_bus {
    double to_device_bytes_per_s, from_device_bytes_per_s, latency_s;
};
double split_bus_time(const struct split_bus *bus, double halo_elements);

struct split_models {
    struct split_line gpu;
    struct split_line cpu_line;       /* linear algorithm */
    struct split_samples cpu_samples; /* iterative and hybrid: linear between two samples */
    struct split_bus bus;
    double halo_elements; /* of one product */
};
/* Time of the models: cpu by the line or between the samples (beyond them: the last slope); gpu
 * with the bus. */
double split_cpu_line_time(const struct split_models *models, double rows);
double split_cpu_time(const struct split_models *models, double rows);
double split_gpu_time(const struct split_models *models, double rows);
/* Share of the sampled sizes up to `rows`, and `rows` itself, at which the GPU is faster; 1: over
 * the whole range, as the iterative algorithm of the thesis wants it; 0: nowhere. */
double split_gpu_faster(const struct split_models *models, double rows);

/* One step of the iterative algorithm, for figure 3-1. */
struct split_step {
    double level_s; /* common time tried */
    double cpu_rows, gpu_rows;
    double imbalance; /* (cpu_rows + gpu_rows - rows) / rows */
};

struct split {
    int64_t cpu_rows, gpu_rows; /* sum: rows */
    double predicted_s;
    int steps;
    const char *note; /* what the user should know: clamped, GPU slower than CPU, ...; or NULL */
};

/* With keep_both each device keeps at least one row, by the rule of the thesis, so that hybrid
 * behaviour can be observed. Without, one device gets all rows where that is predicted to be faster
 * than the split, as then nothing crosses the bus. Where the models do not tell (a slope that is
 * not above 0, samples that are no times), the faster device gets all it may, and the note says
 * why. */

/* The CPU's rows for which both lines give the same time: x1 = (a2 r + b2 - b1) / (a1 + a2), b2
 * with the bus; neither rounded nor within [0, r]. */
double split_linear_rows(const struct split_models *models, double rows);
struct split split_linear(const struct split_models *models, int64_t rows, bool keep_both);

/* Bisection of the common time level, to half a row; `steps`, if not NULL, gets up to step_limit.
 */
struct split split_iterative(const struct split_models *models, int64_t rows, bool keep_both,
                             struct split_step *steps, int step_limit);

/* Install time: optimal times of the iterative algorithm over sizes, and a model of them (a power
 * law or a line, whichever has the smaller relative residuals); run time: two equations. */
struct split_optimum {
    struct split_line line;
    double factor, exponent; /* t = factor rows^exponent */
    bool is_power;
};
/* halo_elements: of each size; NULL: that of the models for all. False: fewer than two different
 * sizes of at least 2 rows in ascending order, or models that do not tell. */
bool split_learn_optimum(const struct split_models *models, const double *sizes,
                         const double *halo_elements, size_t count, struct split_optimum *optimum,
                         struct sparse_error *error);
double split_optimal_time(const struct split_optimum *optimum, double rows);
/* The CPU alone is not considered without keep_both: its model is not needed any more. */
struct split split_hybrid(const struct split_models *models, const struct split_optimum *optimum,
                          int64_t rows, bool keep_both);

#endif
