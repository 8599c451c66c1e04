/* Samples of a file become models. */
#include <math.h>
#include <stdlib.h>

#include "split_samples_file.h"

/* Every step-th, the last one among them, at most all; they go to *memory, which moves on. */
static struct split_samples thin_out(const struct split_samples *all, size_t step, double **memory)
{
    size_t count = all->count / step;
    double *rows = *memory, *time_s = rows + count;
    for (size_t i = 0; i < count; i++) {
        size_t from = all->count - 1 - (count - 1 - i) * step;
        rows[i] = all->rows[from];
        time_s[i] = all->time_s[from];
    }
    *memory += 2 * count;
    return (struct split_samples){count, rows, time_s};
}

bool split_samples_thin(struct split_samples_file *thin, const struct split_samples_file *all,
                        size_t step, struct sparse_error *error)
{
    size_t most = all->cpu.count + all->gpu.count + all->to_device.count + all->from_device.count;
    *thin = (struct split_samples_file){.memory = NULL};
    if (step == 0 || all->cpu.count < step || all->gpu.count < step)
        return sparse_refuse(error, "of %zu samples none is left when every %zu-th is taken",
                             all->cpu.count, step);
    double *next = thin->memory = malloc((2 * most + 1) * sizeof *next);
    if (!next)
        return sparse_refuse(error, "there is no memory for %zu samples", most);
    thin->cpu = thin_out(&all->cpu, step, &next);
    thin->gpu = thin_out(&all->gpu, step, &next);
    thin->to_device = thin_out(&all->to_device, 1, &next);
    thin->from_device = thin_out(&all->from_device, 1, &next);
    return true;
}

/* A line through the samples of a variant, which the sentence names. */
static bool fit(const char *variant, const struct split_samples *samples, struct split_line *line,
                struct sparse_error *error)
{
    struct sparse_error cause;
    return split_fit_line(samples, line, &cause) ||
           sparse_refuse(error, "samples of variant %s: %.200s", variant, cause.text);
}

/* Rate and latency of a way: a line through its times. Where noise gives none that rises (all
 * transfers are tiny), the rate of the largest transfer, without a latency. */
static bool fit_way(const char *variant, const struct split_samples *samples, double *bytes_per_s,
                    double *latency_s, struct sparse_error *error)
{
    struct split_line line;
    size_t last = samples->count - 1;
    if (!fit(variant, samples, &line, error))
        return false;
    bool rises = line.slope > 0;
    *bytes_per_s = rises ? 1 / line.slope : samples->rows[last] / samples->time_s[last];
    *latency_s = rises ? fmax(0, line.offset) : 0;
    return true;
}

bool split_samples_models(const struct split_samples_file *file, struct split_models *models,
                          struct sparse_error *error)
{
    double in_latency_s, out_latency_s;
    *models = (struct split_models){.cpu_samples = file->cpu};
    if (!fit("gpu", &file->gpu, &models->gpu, error) ||
        !fit("cpu", &file->cpu, &models->cpu_line, error) ||
        !fit_way("bus-in", &file->to_device, &models->bus.to_device_bytes_per_s, &in_latency_s,
                 error) ||
        !fit_way("bus-out", &file->from_device, &models->bus.from_device_bytes_per_s,
                 &out_latency_s, error))
        return false;
    models->bus.latency_s = fmax(in_latency_s, out_latency_s);
    return true;
}
