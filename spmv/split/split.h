/* split.h: what the algorithms share. */
#ifndef SPMV_SPLIT_SPLIT_H
#define SPMV_SPLIT_SPLIT_H

#include <datamotion/spmv.h>

#include "common/error.h"

double split_line_at(const struct spmv_split_line *line, double rows);

/* Why nothing can be computed from samples, or NULL: there are none, they do not ascend, or a value
 * is no size or no time. */
const char *split_samples_flaw(const struct spmv_split_samples *samples);

/* Why the models do not tell where CPU, between samples, and GPU end together, or NULL. */
const char *split_models_flaw(const struct spmv_split_models *models);

/* The maximum of rows up to which the CPU's time (spmv_split_cpu_time) never exceeds a level, at
 * most `rows`. Where samples are noisy, time falls and rises again; the first rise counts, so that
 * this is an inverse for times that do not ascend, too. */
double split_cpu_rows(const struct spmv_split_models *models, double level_s, double rows);

/* The rows of the GPU at a level, 0 to `rows`. Its slope must be above 0. */
double split_gpu_rows(const struct spmv_split_models *models, double level_s, double rows);

/* Rounds the CPU's part to whole rows and puts it into [0, rows], or [1, rows - 1] if both keep a
 * row; notes when that changed it. Half to the GPU. */
struct spmv_split split_place(double cpu_rows, int64_t rows, bool keep_both);

/* Gives all rows to one device if that is faster than the split, as nothing crosses the bus then.
 */
void split_compare_alone(struct spmv_split *split, double cpu_alone_s, double gpu_alone_s);

/* What to do when the models do not tell where both end together: the better end of the range. */
struct spmv_split split_without_models(int64_t rows, bool keep_both, double cpu_alone_s,
                                       double gpu_alone_s, const char *note);

#endif
