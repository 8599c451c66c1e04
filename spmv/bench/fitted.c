#include "fitted.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/error.h"
#include "common/harness/exit.h"

/* The coarse models have every THIN-th sample. */
enum { THIN = 4 };

struct spmv_split split_by(enum split_algorithm algorithm, const struct spmv_split_models *models,
                           const struct spmv_split_optimum *optimum, int64_t rows, bool keep_both)
{
    if (algorithm == SPLIT_LINEAR)
        return spmv_split_linear(models, rows, keep_both);
    if (algorithm == SPLIT_ITERATIVE)
        return spmv_split_iterative(models, rows, keep_both, NULL, 0);
    return spmv_split_hybrid(models, optimum, rows, keep_both);
}

double split_plane_elements(double rows)
{
    double edge = round(cbrt(rows));
    return edge * edge;
}

static enum dm_status fit(struct split_fitted *fitted)
{
    const struct spmv_split_samples *cpu = &fitted->file.cpu;
    double *planes = allocate_or_fail(cpu->count, sizeof *planes);
    for (size_t i = 0; i < cpu->count; i++)
        planes[i] = split_plane_elements(cpu->rows[i]);
    enum dm_status status = split_samples_models(&fitted->file, &fitted->models);
    fitted->is_flat = status == DM_OK && !(fitted->models.gpu.slope > 0);
    if (status == DM_OK)
        status = spmv_split_learn_optimum(&fitted->models, cpu->rows, planes, cpu->count,
                                          &fitted->optimum);
    free(planes);
    return status;
}

/* Models of every THIN-th sample; DM_INVALID: there are none. */
static enum dm_status fit_coarse(struct split_fitted *coarse, const struct split_samples_file *all)
{
    if (all->cpu.count < 2 * THIN)
        return dm_fail(DM_INVALID, "there are %zu samples, and at least %d are needed",
                       all->cpu.count, 2 * THIN);
    TRY(split_samples_thin(&coarse->file, all, THIN));
    enum dm_status status = fit(coarse);
    if (status != DM_OK)
        split_samples_close(&coarse->file);
    return status;
}

struct split_fits split_fits_read(const char *path, int threads)
{
    struct split_fits fits = {.count = 1};
    struct split_fitted *all = &fits.of[0];
    if (split_samples_read(&all->file, path, threads) != DM_OK)
        fail("--samples %s", dm_message());
    enum dm_status status = error_within(fit(all), "--samples %s", path);
    if (status == DM_INVALID && all->is_flat) {
        snprintf(fits.no_models, sizeof fits.no_models, "%s; sample larger cubes", dm_message());
        split_samples_close(&all->file);
        fits.count = 0;
        return fits;
    }
    check_status(status);
    if (fit_coarse(&fits.of[1], &all->file) == DM_OK)
        fits.count = 2;
    else
        snprintf(fits.no_coarse, sizeof fits.no_coarse, "%s", dm_message());
    return fits;
}

void split_fits_close(struct split_fits *fits)
{
    for (int i = 0; i < fits->count; i++)
        split_samples_close(&fits->of[i].file);
}
