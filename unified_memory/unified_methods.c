#include "unified_methods.h"

#include <stdlib.h>

#include "common/harness/exit.h"

/* Values are damped from run to run. Small data sets, which the software GPU gets, are filled anew
 * for each run, as its CPU is slow with the smallest of numbers; large ones take too long. */
static const size_t refill_bytes_most = (size_t)64 << 20;

static void prepare(const struct unified_execution *execution)
{
    struct benchmark *benchmark = execution->benchmark;

    if (dm_region_footprint(&benchmark->region) <= refill_bytes_most)
        benchmark_reset(benchmark);
}

static struct copies_plan *open_explicit(const struct unified_execution *execution,
                                         const char **complaint)
{
    struct copies_plan *plan;
    if (copies_open(&plan, execution->version->version, &execution->benchmark->region,
                    &execution->options) != DM_OK)
        *complaint = dm_message();
    return plan;
}

/* Device memory of explicit copies is held during runs only: managed memory is to have all of it
 * when its turn comes. */
static enum dm_status try_explicit(const struct dm_region *region, const void *options, void **plan)
{
    const struct unified_execution *execution = options;
    const char *complaint = NULL;
    struct copies_plan *opened = open_explicit(execution, &complaint);

    (void)region;
    if (!opened)
        return dm_fail(DM_INVALID, "%s", complaint);
    copies_close(opened);
    *plan = (void *)execution;
    return DM_OK;
}

static enum dm_status run_explicit(void *plan, void *report, double *time_s)
{
    const struct unified_execution *execution = plan;
    const char *complaint = NULL;

    prepare(execution);
    struct copies_plan *opened = open_explicit(execution, &complaint);
    if (!opened)
        fail("%s could be executed, but no more: %s", execution->version->variant, complaint);
    check_status(copies_run(opened, report));
    copies_close(opened);
    *time_s = ((struct copies_report *)report)->time_s;
    return DM_OK;
}

static void close_explicit(void *plan)
{
    (void)plan;
}

struct managed_plan {
    const struct unified_execution *execution;
    struct unified_plan *plan;
};

static enum dm_status open_managed(const struct dm_region *region, const void *options, void **plan)
{
    const struct unified_execution *execution = options;
    const char *complaint = NULL;
    struct unified_plan *unified =
        unified_open(execution->version->hints, region, &execution->options,
                     execution->oversubscribe, &complaint);

    if (!unified)
        return dm_fail(DM_INVALID, "%s", complaint);
    struct managed_plan *opened = allocate_or_fail(1, sizeof *opened);
    *opened = (struct managed_plan){execution, unified};
    *plan = opened;
    return DM_OK;
}

/* The data begin on the host. Afterwards they go back there, so that the next run finds them there
 * and other versions find the device free. */
static void execute_managed(struct managed_plan *plan, struct copies_report *report,
                            enum unified_counted counted, struct unified_traffic *traffic)
{
    prepare(plan->execution);
    unified_run(plan->plan, report, counted, traffic);
    unified_to_host(&plan->execution->benchmark->region);
}

static enum dm_status run_managed(void *plan, void *report, double *time_s)
{
    struct managed_plan *opened = plan;

    execute_managed(opened, report, UNIFIED_COUNT_BYTES, NULL);
    *time_s = ((struct copies_report *)report)->time_s;
    return DM_OK;
}

static void close_managed(void *plan)
{
    struct managed_plan *opened = plan;

    unified_close(opened->plan);
    free(opened);
}

const struct bench_method unified_explicit_method = {try_explicit, run_explicit, close_explicit,
                                                     sizeof(struct copies_report)};
const struct bench_method unified_managed_method = {open_managed, run_managed, close_managed,
                                                    sizeof(struct copies_report)};

void unified_count_traffic(const struct unified_execution *execution,
                           struct unified_traffic *traffic)
{
    struct unified_traffic faults;
    struct copies_report report;
    void *plan = NULL;

    if (open_managed(&execution->benchmark->region, execution, &plan) != DM_OK)
        fail("%s could be executed, but no more: %s", execution->version->variant, dm_message());
    execute_managed(plan, &report, UNIFIED_COUNT_BYTES, traffic);
    if (!traffic->faults_known) {
        execute_managed(plan, &report, UNIFIED_COUNT_FAULTS, &faults);
        traffic->faults_known = faults.faults_known;
        traffic->device_faults = faults.device_faults;
        traffic->host_faults = faults.host_faults;
    }
    close_managed(plan);
}
