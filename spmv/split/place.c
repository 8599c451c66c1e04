/* From a cut to whole rows. */
#include <math.h>

#include "split.h"

/* The range of the CPU's rows; a single row cannot be kept by both. */
static int64_t kept_rows(int64_t rows, bool keep_both)
{
    return keep_both && rows > 1;
}

struct spmv_split split_place(double cpu_rows, int64_t rows, bool keep_both)
{
    int64_t kept = kept_rows(rows, keep_both), maximum = rows - kept;
    double whole = ceil(cpu_rows - 0.5);
    struct spmv_split split = {.note = NULL};
    if (whole < (double)kept) {
        split.cpu_rows = kept;
        split.note = kept ? "the CPU keeps one row: the models give it none" : "GPU alone";
    } else if (whole > (double)maximum) {
        split.cpu_rows = maximum;
        split.note = kept ? "the GPU keeps one row: the models give it none" : "CPU alone";
    } else {
        split.cpu_rows = (int64_t)whole;
    }
    split.gpu_rows = rows - split.cpu_rows;
    return split;
}

void split_compare_alone(struct spmv_split *split, double cpu_alone_s, double gpu_alone_s)
{
    int64_t rows = split->cpu_rows + split->gpu_rows;
    bool gpu_wins = gpu_alone_s <= cpu_alone_s;
    double alone_s = gpu_wins ? gpu_alone_s : cpu_alone_s;
    if (!(alone_s <= split->predicted_s))
        return;
    split->cpu_rows = gpu_wins ? 0 : rows;
    split->gpu_rows = rows - split->cpu_rows;
    split->predicted_s = alone_s;
    split->note = gpu_wins ? "GPU alone: faster than with a part on the CPU"
                           : "CPU alone: faster than with a part on the GPU";
}

struct spmv_split split_without_models(int64_t rows, bool keep_both, double cpu_alone_s,
                                       double gpu_alone_s, const char *note)
{
    /* A GPU whose time is unknown gets nothing, unless the CPU's is unknown, too. */
    bool gpu_wins = gpu_alone_s <= cpu_alone_s || !isfinite(cpu_alone_s);
    int64_t kept = kept_rows(rows, keep_both);
    int64_t cpu_rows = gpu_wins ? kept : rows - kept;
    return (struct spmv_split){.cpu_rows = cpu_rows,
                               .gpu_rows = rows - cpu_rows,
                               .predicted_s = gpu_wins ? gpu_alone_s : cpu_alone_s,
                               .note = note};
}
