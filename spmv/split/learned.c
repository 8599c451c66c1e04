/* The hybrid algorithm: what the iterative one found at install time becomes one equation.
 * Source: Fanfarillo 2016, 3.3.1.3; there the model of the optimal time is not stated. */
#include <math.h>
#include <stdlib.h>

#include "common/statistics.h"

#include "split.h"

double spmv_split_optimal_time(const struct spmv_split_optimum *optimum, double rows)
{
    return optimum->is_power ? optimum->factor * pow(rows, optimum->exponent)
                             : split_line_at(&optimum->line, rows);
}

/* ---- install time ---- */

/* Sum of squared relative residuals: a relative error of the time moves as many rows at a small
 * size as at a large one, relative to all. */
static double relative_error(const struct spmv_split_optimum *optimum,
                             const struct spmv_split_samples *times)
{
    double sum = 0;
    for (size_t i = 0; i < times->count; i++) {
        double time_s = times->time_s[i];
        double residual = (spmv_split_optimal_time(optimum, times->rows[i]) - time_s) / time_s;
        sum += residual * residual;
    }
    return sum;
}

/* A power law is a line between logarithms. `room`: two numbers for each time. */
static void fit_power(struct spmv_split_optimum *optimum, const struct spmv_split_samples *times,
                      double *room)
{
    double *log_time = room + times->count;
    for (size_t i = 0; i < times->count; i++) {
        room[i] = log(times->rows[i]);
        log_time[i] = log(times->time_s[i]);
    }
    struct line line = statistics_line(room, log_time, times->count);
    optimum->factor = exp(line.intercept);
    optimum->exponent = line.slope;
}

static enum dm_status learn(const struct spmv_split_samples *times, double *room,
                            struct spmv_split_optimum *optimum)
{
    *optimum = (struct spmv_split_optimum){.is_power = true};
    TRY(spmv_split_fit_line(times, &optimum->line));
    fit_power(optimum, times, room);
    double power_error = relative_error(optimum, times);
    optimum->is_power = false;
    optimum->is_power = power_error < relative_error(optimum, times);
    return DM_OK;
}

static enum dm_status optimal_times(const struct spmv_split_models *models, const double *sizes,
                                    const double *halo_elements, size_t count, double *times_s)
{
    struct spmv_split_models of_size = *models;
    for (size_t i = 0; i < count; i++) {
        /* Beyond 2^53 sizes in double are no exact numbers of rows. */
        if (!(sizes[i] >= 2 && sizes[i] <= 0x1p53))
            return dm_fail(DM_INVALID, "%g is no size of a problem for two devices", sizes[i]);
        if (halo_elements)
            of_size.halo_elements = halo_elements[i];
        times_s[i] = spmv_split_iterative(&of_size, (int64_t)sizes[i], true, NULL, 0).predicted_s;
    }
    return DM_OK;
}

enum dm_status spmv_split_learn_optimum(const struct spmv_split_models *models, const double *sizes,
                                        const double *halo_elements, size_t count,
                                        struct spmv_split_optimum *optimum)
{
    const char *flaw = split_models_flaw(models);
    if (flaw)
        return dm_fail(DM_INVALID, "no optimal times can be computed: %s", flaw);
    double *room =
        count < SIZE_MAX / (3 * sizeof *room) ? malloc((3 * count + 1) * sizeof *room) : NULL;
    if (!room)
        return dm_fail(DM_NO_MEMORY, "there is no memory for the times of %zu sizes", count);
    struct spmv_split_samples times = {.count = count, .rows = sizes, .time_s = room};
    enum dm_status status = optimal_times(models, sizes, halo_elements, count, room);
    if (status == DM_OK)
        status = learn(&times, room + count, optimum);
    free(room);
    return status;
}

/* ---- run time ---- */

struct spmv_split spmv_split_hybrid(const struct spmv_split_models *models,
                                    const struct spmv_split_optimum *optimum, int64_t rows,
                                    bool keep_both)
{
    double time_s = spmv_split_optimal_time(optimum, (double)rows);
    double gpu_alone_s = split_line_at(&models->gpu, (double)rows);
    double gpu_rows = (time_s - spmv_split_gpu_time(models, 0)) / models->gpu.slope;
    if (!(models->gpu.slope > 0) || !isfinite(gpu_rows))
        return split_without_models(rows, keep_both, INFINITY, gpu_alone_s,
                                    "by the line more rows do not take the GPU more time");
    struct spmv_split split = split_place((double)rows - gpu_rows, rows, keep_both);
    split.predicted_s = time_s;
    if (split.gpu_rows > 0)
        split.predicted_s = fmax(time_s, spmv_split_gpu_time(models, (double)split.gpu_rows));
    if (!keep_both)
        split_compare_alone(&split, INFINITY, gpu_alone_s);
    return split;
}
