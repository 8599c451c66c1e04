/* Times and rows by the models. */
#include <math.h>

#include "split.h"

double split_line_at(const struct spmv_split_line *line, double rows)
{
    return line->slope * rows + line->offset;
}

static double way_time(double bytes, double bytes_per_s)
{
    return bytes_per_s > 0 ? bytes / bytes_per_s : 0;
}

double spmv_split_bus_time(const struct spmv_split_bus *bus, double halo_elements)
{
    double bytes = 8 * halo_elements;
    if (!(halo_elements > 0))
        return 0;
    return bus->latency_s + fmax(way_time(bytes, bus->to_device_bytes_per_s),
                                 way_time(bytes, bus->from_device_bytes_per_s));
}

double spmv_split_cpu_line_time(const struct spmv_split_models *models, double rows)
{
    return split_line_at(&models->cpu_line, rows);
}

double spmv_split_gpu_time(const struct spmv_split_models *models, double rows)
{
    return split_line_at(&models->gpu, rows) +
           spmv_split_bus_time(&models->bus, models->halo_elements);
}

/* ---- between samples ---- */

/* Samples of sizes at most `rows`. */
static size_t samples_up_to(const struct spmv_split_samples *samples, double rows)
{
    size_t low = 0, high = samples->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (samples->rows[middle] <= rows)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double slope_between(const struct spmv_split_samples *samples, size_t a, size_t b)
{
    return (samples->time_s[b] - samples->time_s[a]) / (samples->rows[b] - samples->rows[a]);
}

/* Slope beyond the samples at an end: that of the two sizes next to it, but time never falls with
 * more rows, whatever noise makes of two samples. Of a single size it is proportional to the rows.
 */
static double end_slope(const struct spmv_split_samples *samples, size_t end)
{
    for (size_t i = 1; i < samples->count; i++) {
        size_t other = end == 0 ? i : end - i;
        if (samples->rows[other] != samples->rows[end])
            return fmax(0, slope_between(samples, other, end));
    }
    return samples->rows[end] > 0 ? samples->time_s[end] / samples->rows[end] : 0;
}

/* Before the first sample: not below 0 s at 0 rows. */
static double time_before(const struct spmv_split_samples *samples, double rows)
{
    double slope = end_slope(samples, 0);
    if (samples->rows[0] > 0)
        slope = fmin(slope, samples->time_s[0] / samples->rows[0]);
    return samples->time_s[0] - slope * (samples->rows[0] - rows);
}

double spmv_split_cpu_time(const struct spmv_split_models *models, double rows)
{
    const struct spmv_split_samples *samples = &models->cpu_samples;
    if (samples->count == 0)
        return NAN;
    size_t next = samples_up_to(samples, rows), last = samples->count - 1;
    if (next == 0)
        return time_before(samples, rows);
    if (next > last)
        return samples->time_s[last] + end_slope(samples, last) * (rows - samples->rows[last]);
    return samples->time_s[next - 1] +
           slope_between(samples, next - 1, next) * (rows - samples->rows[next - 1]);
}

double spmv_split_gpu_faster(const struct spmv_split_models *models, double rows)
{
    const struct spmv_split_samples *samples = &models->cpu_samples;
    size_t sizes = 1,
           faster = spmv_split_gpu_time(models, rows) < spmv_split_cpu_time(models, rows);
    for (size_t i = 0; i < samples->count && samples->rows[i] < rows; i++) {
        faster += spmv_split_gpu_time(models, samples->rows[i]) < samples->time_s[i];
        sizes++;
    }
    return (double)faster / (double)sizes;
}

/* Where the line from one point to the next crosses a level that is between them. */
static double crossing(double rows_a, double time_a, double rows_b, double time_b, double level_s)
{
    return rows_a + (level_s - time_a) / (time_b - time_a) * (rows_b - rows_a);
}

double split_cpu_rows(const struct spmv_split_models *models, double level_s, double rows)
{
    const struct spmv_split_samples *samples = &models->cpu_samples;
    double rows_a = 0, time_a = spmv_split_cpu_time(models, 0);
    if (!(time_a <= level_s))
        return 0;
    for (size_t i = 0; i < samples->count && samples->rows[i] < rows; i++) {
        if (samples->time_s[i] > level_s)
            return crossing(rows_a, time_a, samples->rows[i], samples->time_s[i], level_s);
        rows_a = samples->rows[i];
        time_a = samples->time_s[i];
    }
    double time_s = spmv_split_cpu_time(models, rows);
    return time_s > level_s ? crossing(rows_a, time_a, rows, time_s, level_s) : rows;
}

double split_gpu_rows(const struct spmv_split_models *models, double level_s, double rows)
{
    return fmin(rows, fmax(0, (level_s - spmv_split_gpu_time(models, 0)) / models->gpu.slope));
}
