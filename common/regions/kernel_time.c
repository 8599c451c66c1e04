#include "common/regions/kernel_time.h"

#include <math.h>

#include "common/harness/exit.h"

#include "common/regions/copies.h"
#include "common/regions/copies_trace.h"

size_t device_budget(size_t requested)
{
    size_t free_bytes, total_bytes;
    check_cuda(cudaMemGetInfo(&free_bytes, &total_bytes));
    return requested ? requested : free_bytes - free_bytes / 16;
}

static double sum_of_kernels(const struct copies_trace *trace)
{
    double sum_s = 0.0;
    for (long i = 0; i < trace->count; i++)
        if (trace->entries[i].kind == TRACE_KERNEL)
            sum_s += trace->entries[i].end_s - trace->entries[i].start_s;
    return sum_s;
}

/* NULL if there is not enough memory. */
static struct copies_plan *open_plan(enum copies_version version, const struct dm_region *region,
                                     const struct copies_options *options)
{
    struct copies_plan *plan;
    const enum dm_status status = copies_open(&plan, version, region, options);
    if (status != DM_OK && status != DM_NO_MEMORY)
        fail_status(status);
    return plan;
}

double kernel_seconds(const struct dm_region *region, size_t budget_bytes)
{
    enum { RUNS_MAX = 3 };
    const double enough_s = 0.2;
    struct copies_trace *trace;
    check_status(copies_trace_create(&trace));
    struct copies_options options = {
        .chunk_size = region->end - region->begin, .streams = 1, .budget_bytes = budget_bytes};
    struct copies_plan *plan = open_plan(COPIES_NAIVE, region, &options);
    bool naive = plan != NULL;
    if (!naive) {
        options.trace = trace;
        plan = open_plan(COPIES_RINGS, region, &options);
    }
    double minimum_s = NAN, sum_s = 0.0;
    for (int runs = 0; plan && runs < RUNS_MAX && sum_s < enough_s; runs++) {
        struct copies_report report;
        check_status(copies_run(plan, &report));
        minimum_s = fmin(minimum_s, naive ? report.kernel_s : sum_of_kernels(trace));
        sum_s += report.time_s;
    }
    copies_close(plan);
    copies_trace_release(trace);
    return minimum_s / (double)region->rounds;
}
