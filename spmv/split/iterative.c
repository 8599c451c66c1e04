/* The iterative algorithm: the common time is bracketed and the bracket halved. Source: Fanfarillo
 * 2016, 3.3.1.2; there the rule of a step is not stated. */
#include <math.h>

#include "split.h"

/* Halvings of the rows' bracket, for any number of rows in 64 bits. */
enum { STEPS_MAX = 64 };

const char *split_models_flaw(const struct spmv_split_models *models)
{
    const char *flaw = split_samples_flaw(&models->cpu_samples);
    if (flaw)
        return flaw;
    if (!isfinite(spmv_split_gpu_time(models, 0)))
        return "the GPU's line is none";
    return models->gpu.slope > 0 ? NULL : "by the line more rows do not take the GPU more time";
}

/* The longest time of the CPU for any part of the rows: noise may make all rows faster than some.
 */
static double cpu_longest(const struct spmv_split_models *models, double rows)
{
    const struct spmv_split_samples *samples = &models->cpu_samples;
    double longest_s = fmax(spmv_split_cpu_time(models, 0), spmv_split_cpu_time(models, rows));
    for (size_t i = 0; i < samples->count && samples->rows[i] < rows; i++)
        longest_s = fmax(longest_s, samples->time_s[i]);
    return longest_s;
}

/* Tries the level in the middle of the bracket. */
static struct spmv_split_step try_level(const struct spmv_split_models *models, double rows,
                                        double low_s, double high_s)
{
    struct spmv_split_step step = {.level_s = low_s + (high_s - low_s) / 2};
    step.cpu_rows = split_cpu_rows(models, step.level_s, rows);
    step.gpu_rows = split_gpu_rows(models, step.level_s, rows);
    step.imbalance = (step.cpu_rows + step.gpu_rows - rows) / rows;
    return step;
}

/* The time at which the devices have done all rows together, from above. Below `low_s` one of them
 * has done none, at `high_s` one of them has done all. */
static double common_level(const struct spmv_split_models *models, double rows, int *count,
                           struct spmv_split_step *steps, int step_limit)
{
    double low_s = fmax(spmv_split_gpu_time(models, 0), spmv_split_cpu_time(models, 0));
    double high_s = fmin(spmv_split_gpu_time(models, rows), cpu_longest(models, rows));
    for (*count = 0; high_s - low_s > models->gpu.slope / 2 && *count < STEPS_MAX; (*count)++) {
        struct spmv_split_step step = try_level(models, rows, low_s, high_s);
        if (steps && *count < step_limit)
            steps[*count] = step;
        if (step.imbalance < 0)
            low_s = step.level_s;
        else
            high_s = step.level_s;
    }
    return high_s;
}

struct spmv_split spmv_split_iterative(const struct spmv_split_models *models, int64_t rows,
                                       bool keep_both, struct spmv_split_step *steps,
                                       int step_limit)
{
    double cpu_alone_s = spmv_split_cpu_time(models, (double)rows);
    double gpu_alone_s = split_line_at(&models->gpu, (double)rows);
    const char *flaw = split_models_flaw(models);
    int count;
    if (flaw)
        return split_without_models(rows, keep_both, cpu_alone_s, gpu_alone_s, flaw);
    double level_s = common_level(models, (double)rows, &count, steps, step_limit);
    double gpu_rows = split_gpu_rows(models, level_s, (double)rows);
    struct spmv_split split = split_place((double)rows - gpu_rows, rows, keep_both);
    split.steps = count;
    split.predicted_s = fmax(spmv_split_cpu_time(models, (double)split.cpu_rows),
                             spmv_split_gpu_time(models, (double)split.gpu_rows));
    if (!split.note && spmv_split_gpu_faster(models, (double)rows) == 0)
        split.note = "the GPU is slower than the CPU at all sizes";
    if (!keep_both)
        split_compare_alone(&split, cpu_alone_s, gpu_alone_s);
    return split;
}
