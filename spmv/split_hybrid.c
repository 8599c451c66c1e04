/* The hybrid algorithm: what the iterative one found at install time becomes one equation.
 * Source: Fanfarillo 2016, 3.3.1.3; there the model of the optimal time is not stated. */
#include <math.h>
#include <stdlib.h>

#include "common/statistics.h"

#include "split_internal.h"

double split_optimal_time(const struct split_optimum *optimum, double rows)
{
    return optimum->is_power ? optimum->factor * pow(rows, optimum->exponent)
                             : split_line_at(&optimum->line, rows);
}

/* ---- install time ---- */

/* Sum of squared relative residuals: a relative error of the time moves as many rows at a small
 * size as at a large one, relative to all. */
static double relative_error(const struct split_optimum *optimum, const struct split_samples *times)
{
    double sum = 0;
    for (size_t i = 0; i < times->count; i++) {
        double time_s = times->time_s[i];
        double residual = (split_optimal_time(optimum, times->rows[i]) - time_s) / time_s;
        sum += residual * residual;
    }
    return sum;
}

/* A power law is a line between logarithms. `room`: two numbers for each time. */
static void fit_power(struct split_optimum *optimum, const struct split_samples *times,
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

static bool learn(const struct split_samples *times, double *room, struct split_optimum *optimum,
                  struct sparse_error *error)
{
    *optimum = (struct split_optimum){.is_power = true};
    if (!split_fit_line(times, &optimum->line, error))
        return false;
    fit_power(optimum, times, room);
    double power_error = relative_error(optimum, times);
    optimum->is_power = false;
    optimum->is_power = power_error < relative_error(optimum, times);
    return true;
}

static bool optimal_times(const struct split_models *models, const double *sizes,
                          const double *halo_elements, size_t count, double *times_s,
                          struct sparse_error *error)
{
    struct split_models of_size = *models;
    for (size_t i = 0; i < count; i++) {
        /* Beyond 2^53 sizes in double are no exact numbers of rows. */
        if (!(sizes[i] >= 2 && sizes[i] <= 0x1p53))
            return sparse_refuse(error, "%g is no size of a problem for two devices", sizes[i]);
        if (halo_elements)
            of_size.halo_elements = halo_elements[i];
        times_s[i] = split_iterative(&of_size, (int64_t)sizes[i], true, NULL, 0).predicted_s;
    }
    return true;
}

bool split_learn_optimum(const struct split_models *models, const double *sizes,
                         const double *halo_elements, size_t count, struct split_optimum *optimum,
                         struct sparse_error *error)
{
    const char *complaint = split_models_complaint(models);
    if (complaint)
        return sparse_refuse(error, "no optimal times can be computed: %s", complaint);
    double *room =
        count < SIZE_MAX / (3 * sizeof *room) ? malloc((3 * count + 1) * sizeof *room) : NULL;
    if (!room)
        return sparse_refuse(error, "there is no memory for the times of %zu sizes", count);
    struct split_samples times = {.count = count, .rows = sizes, .time_s = room};
    bool valid = optimal_times(models, sizes, halo_elements, count, room, error) &&
                 learn(&times, room + count, optimum, error);
    free(room);
    return valid;
}

/* ---- run time ---- */

struct split split_hybrid(const struct split_models *models, const struct split_optimum *optimum,
                          int64_t rows, bool keep_both)
{
    double time_s = split_optimal_time(optimum, (double)rows);
    double gpu_alone_s = split_line_at(&models->gpu, (double)rows);
    double gpu_rows = (time_s - split_gpu_time(models, 0)) / models->gpu.slope;
    if (!(models->gpu.slope > 0) || !isfinite(gpu_rows))
        return split_without_models(rows, keep_both, INFINITY, gpu_alone_s,
                                    "by the line more rows do not take the GPU more time");
    struct split split = split_place((double)rows - gpu_rows, rows, keep_both);
    split.predicted_s = time_s;
    if (split.gpu_rows > 0)
        split.predicted_s = fmax(time_s, split_gpu_time(models, (double)split.gpu_rows));
    if (!keep_both)
        split_compare_alone(&split, INFINITY, gpu_alone_s);
    return split;
}
