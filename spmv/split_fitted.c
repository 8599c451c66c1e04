#include "split_fitted.h"

#include "status.h"

#include <math.h>
#include <stdlib.h>

/* The coarse models have every THIN-th sample. */
enum { THIN = 4 };

double split_plane_elements(double rows)
{
    double edge = round(cbrt(rows));
    return edge * edge;
}

static void fit(struct split_fitted *fitted, const char *path)
{
    struct sparse_error error;
    const struct split_samples *cpu = &fitted->file.cpu;
    double *planes = allocate_or_fail(cpu->count, sizeof *planes);
    for (size_t i = 0; i < cpu->count; i++)
        planes[i] = split_plane_elements(cpu->rows[i]);
    if (!split_samples_models(&fitted->file, &fitted->models, &error) ||
        !split_learn_optimum(&fitted->models, cpu->rows, planes, cpu->count, &fitted->optimum,
                             &error))
        fail("--samples %s: %s", path, error.text);
    free(planes);
}

struct split_fits split_fits_read(const char *path, int threads)
{
    struct split_fits fits = {.count = 1};
    struct sparse_error error;
    struct split_samples_file *all = &fits.of[0].file;
    if (!split_samples_read(all, path, threads, &error))
        fail("--samples %s", error.text);
    if (all->cpu.count >= 2 * THIN) {
        if (!split_samples_thin(&fits.of[1].file, all, THIN, &error))
            fail("--samples %s: %s", path, error.text);
        fits.count = 2;
    }
    for (int i = 0; i < fits.count; i++)
        fit(&fits.of[i], path);
    return fits;
}

void split_fits_close(struct split_fits *fits)
{
    for (int i = 0; i < fits->count; i++)
        split_samples_close(&fits->of[i].file);
}
