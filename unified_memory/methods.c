#include "methods.h"

#include <stdlib.h>

#include "common/error.h"

/* Values are damped from run to run, so small data sets are filled anew before each. Those that the
 * software GPU gets are, as its CPU is slow with the smallest of numbers; large ones take too long
 * to fill. */
static const size_t renewed_bytes_max = (size_t)64 << 20;

static void renew_data(const struct execution *execution)
{
    if (dm_region_footprint(&execution->benchmark->region) <= renewed_bytes_max)
        benchmark_reset(execution->benchmark);
}

/* ---- copies ---- */

static enum dm_status open_copies(const struct execution *execution, struct copies_plan **plan)
{
    const struct copies_options options = {.chunk_size = execution->managed.chunk_size,
                                           .streams = execution->managed.streams,
                                           .budget_bytes = execution->budget_bytes};
    return copies_open(plan, execution->copies, &execution->benchmark->region, &options);
}

/* Device memory is held during runs only: managed memory is to have all of it when its turn comes.
 */
static enum dm_status try_copies(const struct dm_region *region, const void *options, void **plan)
{
    struct copies_plan *opened;

    (void)region;
    TRY(open_copies(options, &opened));
    copies_close(opened);
    *plan = (void *)options;
    return DM_OK;
}

static enum dm_status run_copies(void *plan, void *report, double *time_s)
{
    const struct execution *execution = plan;
    struct copies_plan *opened;

    renew_data(execution);
    enum dm_status status = open_copies(execution, &opened);
    if (status != DM_OK)
        return error_within(status, "%s could be executed, but not again", execution->variant);
    status = copies_run(opened, report);
    copies_close(opened);
    *time_s = ((struct copies_report *)report)->time_s;
    return status;
}

static void close_copies(void *plan)
{
    (void)plan;
}

const struct bench_method copies_method = {try_copies, run_copies, close_copies,
                                           sizeof(struct copies_report)};

/* ---- managed memory ---- */

struct managed {
    const struct execution *execution;
    struct unified_plan *plan;
};

static enum dm_status open_managed(const struct dm_region *region, const void *options, void **plan)
{
    const struct execution *execution = options;
    struct managed *managed = malloc(sizeof *managed);

    if (!managed)
        return error_no_memory(sizeof *managed);
    managed->execution = execution;
    const enum dm_status status = unified_open(&managed->plan, region, &execution->managed);
    if (status != DM_OK) {
        free(managed);
        return status;
    }
    *plan = managed;
    return DM_OK;
}

/* The data begin on the host. Afterwards they go back there, so that the next run finds them there
 * and other versions find the device free. */
static enum dm_status execute(struct managed *managed, struct unified_report *report,
                              enum unified_counted counted, struct unified_traffic *traffic)
{
    renew_data(managed->execution);
    TRY(unified_run(managed->plan, report, counted, traffic));
    return unified_to_host(&managed->execution->benchmark->region);
}

static enum dm_status run_managed(void *plan, void *report, double *time_s)
{
    struct unified_report managed;

    TRY(execute(plan, &managed, UNIFIED_COUNT_BYTES, NULL));
    *(struct copies_report *)report =
        (struct copies_report){.chunks = managed.chunks,
                               .copies = managed.prefetches,
                               .api_calls = managed.api_calls,
                               .bytes_to_device = managed.prefetched_to_device,
                               .bytes_from_device = managed.prefetched_to_host,
                               .to_device_s = managed.to_device_s,
                               .kernel_s = managed.kernel_s,
                               .from_device_s = managed.from_device_s,
                               .between_s = managed.between_s,
                               .read_s = managed.read_s};
    *time_s = managed.time_s;
    return DM_OK;
}

static void close_managed(void *plan)
{
    struct managed *managed = plan;

    unified_close(managed->plan);
    free(managed);
}

const struct bench_method managed_method = {open_managed, run_managed, close_managed,
                                            sizeof(struct copies_report)};

static enum dm_status count(struct managed *managed, struct unified_traffic *traffic)
{
    struct unified_traffic faults;
    struct unified_report report;

    TRY(execute(managed, &report, UNIFIED_COUNT_BYTES, traffic));
    if (traffic->faults_known)
        return DM_OK;
    TRY(execute(managed, &report, UNIFIED_COUNT_FAULTS, &faults));
    traffic->faults_known = faults.faults_known;
    traffic->device_faults = faults.device_faults;
    traffic->host_faults = faults.host_faults;
    return DM_OK;
}

enum dm_status count_traffic(const struct execution *execution, struct unified_traffic *traffic)
{
    void *managed = NULL;

    TRY(open_managed(&execution->benchmark->region, execution, &managed));
    const enum dm_status status = count(managed, traffic);
    close_managed(managed);
    return status;
}
