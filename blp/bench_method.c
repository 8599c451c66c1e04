#include <math.h>
#include <stdlib.h>

#include "common/error.h"
#include "common/harness/exit.h"
#include "common/regions/device_memory.h"
#include "common/regions/managed.h"
#include "common/regions/managed_limit.h"

#include "bench_companion.h"
#include "bench_versions.h"
#include "kernels/kernels.h"

enum { RUNS_BESIDE_A_LOOP = 5 };

struct plan {
    const struct dm_region *region;
    const struct version_execution *execution;
    struct copies_plan *copies; /* one of the three */
    struct managed_plan *managed;
    struct blp_plan *blp;
    bool known; /* what the first run finds out */
    size_t managed_bytes;
    double free_share;
};

bool can_oversubscribe(void)
{
#if defined(SOFTGPU)
    return true;
#else
    return false; /* some drivers hang the device */
#endif
}

static bool is_managed(enum version version)
{
    return version == VERSION_UM || version == VERSION_UM_PREFETCH;
}

static enum dm_status open_managed(struct plan *plan)
{
    const struct version_execution *execution = plan->execution;
    const struct managed_config config = {
        .prefetch = execution->version == VERSION_UM ? MANAGED_ON_DEMAND : MANAGED_BOTH,
        .chunk_size = execution->chunks.chunk_size,
        .streams = execution->chunks.streams,
        .oversubscribe = execution->capacity_bytes > 0};
    return managed_plan_open(&plan->managed, plan->region, &config);
}

static enum dm_status open_version(struct plan *plan)
{
    const struct version_execution *execution = plan->execution;
    const enum version version = execution->version;
    if (version >= VERSION_BLP)
        return blp_open(&plan->blp, plan->region, kernel_of(plan->region->name), &execution->blp);
    if (is_managed(version))
        return open_managed(plan);
    return copies_open(&plan->copies, version == VERSION_SYNC ? COPIES_NAIVE : COPIES_STREAMS,
                       plan->region, &execution->chunks);
}

static enum dm_status open_plan(const struct dm_region *region, const void *options, void **opened)
{
    struct plan *plan = allocate_or_fail(1, sizeof *plan);
    *plan = (struct plan){.region = region, .execution = options, .free_share = NAN};
    enum dm_status status = open_version(plan);
    if (status != DM_OK) {
        free(plan);
        plan = NULL;
    }
    *opened = plan;
    return status;
}

/* ---- one run ---- */

/* A run and its report, for the functions that watch it. */
struct execution {
    const struct plan *plan;
    struct version_report *report;
    enum dm_status status; /* of the last one that failed */
};

static enum dm_status execute_version(const struct plan *plan, struct version_report *report)
{
    if (plan->managed)
        return managed_plan_run(plan->managed, &report->copies);
    if (plan->copies)
        return copies_run(plan->copies, &report->copies);
    return blp_run(plan->blp, &report->blp);
}

static void execute(void *context)
{
    struct execution *execution = context;
    enum dm_status status = execute_version(execution->plan, execution->report);
    if (status != DM_OK)
        execution->status = status;
}

/* Managed memory within the capacity, from the host and back, around the run. */
static enum dm_status run_managed(struct plan *plan, struct execution *execution)
{
    const size_t capacity = plan->execution->capacity_bytes;
    void *ballast = NULL;
    TRY(managed_to_host(plan->region));
    if (capacity)
        TRY(managed_take_ballast(capacity, &ballast));
    if (plan->known) {
        execute(execution);
    } else {
        const size_t before = device_memory_in_use();
        const size_t peak = companion_peak_in_use(execute, execution);
        plan->managed_bytes = peak > before ? peak - before : 0;
    }
    if (execution->status == DM_OK)
        execution->status = managed_to_host(plan->region);
    managed_release_ballast(ballast);
    return execution->status;
}

static double free_share(struct execution *execution)
{
    double sum = 0.0;
    for (int i = 0; i < RUNS_BESIDE_A_LOOP; i++)
        sum += companion_free_share(execute, execution);
    return sum / RUNS_BESIDE_A_LOOP;
}

static enum dm_status run_plan(void *opened, void *filled, double *time_s)
{
    struct plan *plan = opened;
    struct version_report *report = filled;
    struct execution execution = {plan, report, DM_OK};
    if (plan->managed)
        TRY(run_managed(plan, &execution));
    else
        execute(&execution);
    if (!plan->known && plan->execution->beside_a_loop && !plan->managed)
        plan->free_share = free_share(&execution);
    plan->known = true;
    report->managed_bytes = plan->managed_bytes;
    report->free_share = plan->free_share;
    *time_s = plan->blp ? report->blp.time_s : report->copies.time_s;
    return execution.status;
}

static void close_plan(void *opened)
{
    struct plan *plan = opened;
    copies_close(plan->copies);
    managed_plan_close(plan->managed);
    blp_close(plan->blp);
    free(plan);
}

const struct bench_method version_method = {.open = open_plan,
                                            .run = run_plan,
                                            .close = close_plan,
                                            .report_bytes = sizeof(struct version_report)};
