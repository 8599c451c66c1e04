/* Samples of a file become models. */
#include <math.h>
#include <stdlib.h>

#include "common/error.h"

#include "samples_file.h"

/* Every step-th, the last one among them, at most all; they go to *memory, which moves on. */
static struct spmv_split_samples thin_out(const struct spmv_split_samples *all, size_t step,
                                          double **memory)
{
    size_t count = all->count / step;
    double *rows = *memory, *time_s = rows + count;
    for (size_t i = 0; i < count; i++) {
        size_t from = all->count - 1 - (count - 1 - i) * step;
        rows[i] = all->rows[from];
        time_s[i] = all->time_s[from];
    }
    *memory += 2 * count;
    return (struct spmv_split_samples){count, rows, time_s};
}

enum dm_status split_samples_thin(struct split_samples_file *thin,
                                  const struct split_samples_file *all, size_t step)
{
    size_t samples =
        all->cpu.count + all->gpu.count + all->to_device.count + all->from_device.count;
    *thin = (struct split_samples_file){.memory = NULL};
    if (step == 0 || all->cpu.count < step || all->gpu.count < step)
        return dm_fail(DM_INVALID, "of %zu samples none is left when every %zu-th is taken",
                       all->cpu.count, step);
    double *next = thin->memory = malloc((2 * samples + 1) * sizeof *next);
    if (!next)
        return dm_fail(DM_NO_MEMORY, "there is no memory for %zu samples", samples);
    thin->cpu = thin_out(&all->cpu, step, &next);
    thin->gpu = thin_out(&all->gpu, step, &next);
    thin->to_device = thin_out(&all->to_device, 1, &next);
    thin->from_device = thin_out(&all->from_device, 1, &next);
    return DM_OK;
}

/* A line through the samples of a variant, which the sentence names. */
static enum dm_status fit(const char *variant, const struct spmv_split_samples *samples,
                          struct spmv_split_line *line)
{
    return error_within(spmv_split_fit_line(samples, line), "samples of variant %s", variant);
}

/* Rate and latency of a way: a line through its times. Where noise gives none that rises (all
 * transfers are tiny), the rate of the largest transfer, without a latency. */
static enum dm_status fit_way(const char *variant, const struct spmv_split_samples *samples,
                              double *bytes_per_s, double *latency_s)
{
    struct spmv_split_line line;
    size_t last = samples->count - 1;
    TRY(fit(variant, samples, &line));
    bool rises = line.slope > 0;
    *bytes_per_s = rises ? 1 / line.slope : samples->rows[last] / samples->time_s[last];
    *latency_s = rises ? fmax(0, line.offset) : 0;
    return DM_OK;
}

enum dm_status split_samples_models(const struct split_samples_file *file,
                                    struct spmv_split_models *models)
{
    double in_latency_s, out_latency_s;
    *models = (struct spmv_split_models){.cpu_samples = file->cpu};
    TRY(fit("gpu", &file->gpu, &models->gpu));
    TRY(fit("cpu", &file->cpu, &models->cpu_line));
    TRY(fit_way("bus-in", &file->to_device, &models->bus.to_device_bytes_per_s, &in_latency_s));
    TRY(fit_way("bus-out", &file->from_device, &models->bus.from_device_bytes_per_s,
                &out_latency_s));
    models->bus.latency_s = fmax(in_latency_s, out_latency_s);
    return DM_OK;
}
