#include <math.h>
#include <stdlib.h>

#include "common/harness/exit.h"
#include "common/regions/device_memory.h"
#include "common/regions/managed.h"
#include "common/regions/managed_limit.h"

#include "bench_companion.h"
#include "bench_versions.h"

enum { RUNS_BESIDE_A_LOOP = 5 };

struct plan {
    const struct dm_region *region;
    const struct blp_bench_execution *execution;
    struct copies_plan *pipeline; /* one of the three */
    struct managed_plan *managed;
    struct blp_plan *blp;
    bool known; /* what the first run finds out */
    size_t managed_bytes;
    double free_share;
};

bool blp_bench_can_oversubscribe(void)
{
#if defined(SOFTGPU)
    return true;
#else
    return false; /* some drivers hang the device */
#endif
}

static bool is_managed(enum blp_bench_version version)
{
    return version == BLP_BENCH_UM || version == BLP_BENCH_UM_PREFETCH;
}

static void open_version(struct plan *plan, const char **complaint)
{
    const struct blp_bench_execution *execution = plan->execution;
    const enum blp_bench_version version = execution->version;
    if (is_managed(version)) {
        const struct managed_config config = {
            .prefetch = version == BLP_BENCH_UM ? MANAGED_ON_DEMAND : MANAGED_BOTH,
            .chunk_size = execution->chunks.chunk_size,
            .streams = execution->chunks.streams,
            .oversubscribe = execution->capacity_bytes > 0};
        if (managed_plan_open(&plan->managed, plan->region, &config) != DM_OK)
            *complaint = dm_message();
    } else if (version < BLP_BENCH_BLP) {
        *complaint =
            copies_open(&plan->pipeline, version == BLP_BENCH_SYNC ? COPIES_NAIVE : COPIES_STREAMS,
                        plan->region, &execution->chunks) != DM_OK
                ? dm_message()
                : NULL;
    } else {
        plan->blp = blp_open(plan->region, &execution->blp, complaint);
    }
}

static enum dm_status open_plan(const struct dm_region *region, const void *options, void **opened)
{
    const char *complaint = NULL;
    struct plan *plan = allocate_or_fail(1, sizeof *plan);
    *plan = (struct plan){.region = region, .execution = options, .free_share = NAN};
    open_version(plan, &complaint);
    *opened = plan;
    if (plan->pipeline || plan->managed || plan->blp)
        return DM_OK;
    free(plan);
    return dm_fail(DM_INVALID, "%s", complaint);
}

/* ---- one run ---- */

/* A run and its report, for the functions that watch it. */
struct execution {
    const struct plan *plan;
    struct blp_bench_report *report;
};

static void execute(void *context)
{
    const struct plan *plan = ((struct execution *)context)->plan;
    struct blp_bench_report *report = ((struct execution *)context)->report;
    if (plan->managed)
        check_status(managed_plan_run(plan->managed, &report->pipeline));
    else if (plan->pipeline)
        check_status(copies_run(plan->pipeline, &report->pipeline));
    else
        blp_run(plan->blp, &report->blp);
}

/* Managed memory within the capacity, from the host and back, around the run. */
static void run_managed(struct plan *plan, struct execution *execution)
{
    const size_t capacity = plan->execution->capacity_bytes;
    void *ballast = NULL;
    check_status(managed_to_host(plan->region));
    if (capacity)
        check_status(managed_take_ballast(capacity, &ballast));
    if (plan->known) {
        execute(execution);
    } else {
        const size_t before = device_memory_in_use();
        const size_t most = blp_bench_most_in_use(execute, execution);
        plan->managed_bytes = most > before ? most - before : 0;
    }
    check_status(managed_to_host(plan->region));
    managed_release_ballast(ballast);
}

static double free_share(struct execution *execution)
{
    double sum = 0.0;
    for (int i = 0; i < RUNS_BESIDE_A_LOOP; i++)
        sum += blp_bench_free_share(execute, execution);
    return sum / RUNS_BESIDE_A_LOOP;
}

static enum dm_status run_plan(void *opened, void *filled, double *time_s)
{
    struct plan *plan = opened;
    struct blp_bench_report *report = filled;
    struct execution execution = {plan, report};
    if (plan->managed)
        run_managed(plan, &execution);
    else
        execute(&execution);
    if (!plan->known && plan->execution->beside_a_loop && !plan->managed)
        plan->free_share = free_share(&execution);
    plan->known = true;
    report->managed_bytes = plan->managed_bytes;
    report->free_share = plan->free_share;
    *time_s = plan->blp ? report->blp.time_s : report->pipeline.time_s;
    return DM_OK;
}

static void close_plan(void *opened)
{
    struct plan *plan = opened;
    if (plan->pipeline)
        copies_close(plan->pipeline);
    managed_plan_close(plan->managed);
    if (plan->blp)
        blp_close(plan->blp);
    free(plan);
}

const struct bench_method blp_bench_method = {.open = open_plan,
                                              .run = run_plan,
                                              .close = close_plan,
                                              .report_bytes = sizeof(struct blp_bench_report)};
