/* Models of time: a line by least squares. */
#include <math.h>

#include "common/statistics.h"

#include "split.h"

const char *split_samples_flaw(const struct spmv_split_samples *samples)
{
    if (samples->count == 0)
        return "there are no samples";
    for (size_t i = 0; i < samples->count; i++) {
        double rows = samples->rows[i], time_s = samples->time_s[i];
        if (!isfinite(rows) || rows < 0)
            return "the size of a sample is no number of rows";
        if (!isfinite(time_s) || time_s <= 0)
            return "the time of a sample is not above 0 s";
        if (i > 0 && rows < samples->rows[i - 1])
            return "the samples are not in order of their sizes";
    }
    return NULL;
}

static void add_residuals(struct spmv_split_line *line, const struct spmv_split_samples *samples)
{
    for (size_t i = 0; i < samples->count; i++) {
        double residual_s = split_line_at(line, samples->rows[i]) - samples->time_s[i];
        line->squared_error += residual_s * residual_s;
        line->largest_relative_residual =
            fmax(line->largest_relative_residual, fabs(residual_s) / samples->time_s[i]);
    }
}

enum dm_status spmv_split_fit_line(const struct spmv_split_samples *samples,
                                   struct spmv_split_line *line)
{
    const char *flaw = split_samples_flaw(samples);
    if (flaw)
        return dm_fail(DM_INVALID, "no line can be fitted: %s", flaw);
    if (samples->rows[0] == samples->rows[samples->count - 1])
        return dm_fail(DM_INVALID, "no line can be fitted: it needs samples of two sizes");
    struct line fit = statistics_line(samples->rows, samples->time_s, samples->count);
    *line = (struct spmv_split_line){.slope = fit.slope, .offset = fit.intercept, .r2 = fit.r2};
    add_residuals(line, samples);
    return DM_OK;
}
