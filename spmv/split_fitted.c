#include "split_fitted.h"

#include <math.h>
#include <stdlib.h>

#include "common/harness/exit.h"

/* The coarse models have every THIN-th sample. */
enum { THIN = 4 };

double split_plane_elements(double rows)
{
    double edge = round(cbrt(rows));
    return edge * edge;
}

static bool fit(struct split_fitted *fitted, struct sparse_error *error)
{
    const struct split_samples *cpu = &fitted->file.cpu;
    double *planes = allocate_or_fail(cpu->count, sizeof *planes);
    for (size_t i = 0; i < cpu->count; i++)
        planes[i] = split_plane_elements(cpu->rows[i]);
    bool valid = split_samples_models(&fitted->file, &fitted->models, error) &&
                 split_learn_optimum(&fitted->models, cpu->rows, planes, cpu->count,
                                     &fitted->optimum, error);
    free(planes);
    return valid;
}

/* Models of every THIN-th sample; false, with the reason: there are none. */
static bool fit_coarse(struct split_fitted *coarse, const struct split_samples_file *all,
                       struct sparse_error *error)
{
    if (all->cpu.count < 2 * THIN)
        return sparse_refuse(error, "there are %zu samples, and %d are the fewest", all->cpu.count,
                             2 * THIN);
    if (!split_samples_thin(&coarse->file, all, THIN, error))
        return false;
    if (fit(coarse, error))
        return true;
    split_samples_close(&coarse->file);
    return false;
}

struct split_fits split_fits_read(const char *path, int threads)
{
    struct split_fits fits = {.count = 1};
    struct sparse_error error;
    struct split_fitted *all = &fits.of[0];
    if (!split_samples_read(&all->file, path, threads, &error))
        fail("--samples %s", error.text);
    if (!fit(all, &error))
        fail("--samples %s: %s", path, error.text);
    if (fit_coarse(&fits.of[1], &all->file, &fits.no_coarse))
        fits.count = 2;
    return fits;
}

void split_fits_close(struct split_fits *fits)
{
    for (int i = 0; i < fits->count; i++)
        split_samples_close(&fits->of[i].file);
}
