/* The linear algorithm: one formula. Source: Fanfarillo 2016, 3.3.1.1. */
#include <math.h>

#include "split.h"

double spmv_split_linear_rows(const struct spmv_split_models *models, double rows)
{
    const struct spmv_split_line *cpu = &models->cpu_line, *gpu = &models->gpu;
    return (gpu->slope * rows + spmv_split_gpu_time(models, 0) - cpu->offset) /
           (cpu->slope + gpu->slope);
}

struct spmv_split spmv_split_linear(const struct spmv_split_models *models, int64_t rows,
                                    bool keep_both)
{
    double cpu_alone_s = spmv_split_cpu_line_time(models, (double)rows);
    double gpu_alone_s = split_line_at(&models->gpu, (double)rows);
    double cpu_rows = spmv_split_linear_rows(models, (double)rows);
    if (!(models->cpu_line.slope > 0) || !(models->gpu.slope > 0) || !isfinite(cpu_rows))
        return split_without_models(rows, keep_both, cpu_alone_s, gpu_alone_s,
                                    "by the lines more rows do not take more time");
    struct spmv_split split = split_place(cpu_rows, rows, keep_both);
    split.predicted_s = fmax(spmv_split_cpu_line_time(models, (double)split.cpu_rows),
                             spmv_split_gpu_time(models, (double)split.gpu_rows));
    if (!keep_both)
        split_compare_alone(&split, cpu_alone_s, gpu_alone_s);
    return split;
}
