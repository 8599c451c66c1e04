#include <datamotion/blp.h>

#include <stdlib.h>
#include <time.h>

#include "common/clock.h"
#include "common/error_cuda.h"
#include "common/memory.h"

#include "engines.h"
#include "layout.h"
#include "options.h"
#include "predict.h"
#include "trace.h"

struct blp_plan {
    const struct dm_region *region;
    const struct blp_kernel *kernel;
    struct blp_work work; /* of the first round */
    struct blp_report report;
    struct blp_trace *trace;
    struct engines engines; /* unless blocks copy both ways */
    void *memory;
    cudaStream_t stream;
    cudaEvent_t done;
};

/* ---- open and close ---- */

static enum dm_status make_work(struct blp_plan *plan, const struct blp_options *options)
{
    TRY(check_all(plan->region, plan->kernel, options));
    struct blp_options chosen = choose_movers(plan->region, plan->kernel, options);
    TRY(plan_work(&plan->work, plan->region, plan->kernel, &chosen, &plan->report.device_bytes));
    if (options->rates.measured && !options->dynamic)
        plan->report.predicted_s = predict_s(&plan->work, &options->rates, &options->compute);
    return DM_OK;
}

static enum dm_status take_device_memory(const struct blp_plan *plan, size_t bytes, void **memory)
{
    enum dm_status status = memory_obtain(MEMORY_DEVICE, bytes, memory);
    if (status == DM_OK)
        return DM_OK;
    cudaGetLastError(); /* or the next launch would report it */
    return error_within(status, "region %s", plan->region->name);
}

static enum dm_status take_memory(struct blp_plan *plan)
{
    size_t records_bytes = (size_t)count_records_max(&plan->work) * sizeof(struct blp_record);
    void *records = NULL;
    TRY(take_device_memory(plan, plan->report.device_bytes, &plan->memory));
    place_work(&plan->work, plan->memory);
    if (plan->trace)
        TRY(take_device_memory(plan, records_bytes, &records));
    plan->work.records = records;
    return DM_OK;
}

static bool has_engines(const struct blp_plan *plan)
{
    return plan->work.engines.in || plan->work.engines.out;
}

static void fill_report(struct blp_plan *plan)
{
    const struct blp_work *work = &plan->work;
    struct blp_report *report = &plan->report;
    report->blocks = work->blocks;
    report->copy_in_blocks = work->in_blocks;
    report->copy_out_blocks = work->out_blocks;
    report->threads = work->threads;
    report->vector_bits = work->vector_bytes * 8;
    report->tasks = work->tasks;
    report->task_size = work->task_size;
    report->in = work->engines.in ? BLP_ENGINE : BLP_BLOCKS;
    report->out = work->engines.out ? BLP_ENGINE : BLP_BLOCKS;
    report->engine_tasks = has_engines(plan) ? work->engines.batch : 0;
}

static enum dm_status fill_plan(struct blp_plan *plan, const struct blp_options *options)
{
    TRY(make_work(plan, options));
    TRY(take_memory(plan));
    fill_report(plan);
    if (has_engines(plan))
        TRY(engines_open(&plan->engines, &plan->work, plan->region));
    TRY_CUDA(cudaStreamCreateWithFlags(&plan->stream, cudaStreamNonBlocking));
    /* A host that keeps engines busy need not sleep in the end, and wake up 0.2 ms later. */
    const unsigned asleep = host_follows(&plan->work) ? 0 : cudaEventBlockingSync;
    TRY_CUDA(cudaEventCreateWithFlags(&plan->done, asleep | cudaEventDisableTiming));
    return DM_OK;
}

enum dm_status blp_open(struct blp_plan **plan, const struct dm_region *region,
                        const struct blp_kernel *kernel, const struct blp_options *options)
{
    static const struct blp_options defaults = {0};
    if (!options)
        options = &defaults;
    *plan = calloc(1, sizeof **plan);
    if (!*plan)
        return error_no_memory(sizeof **plan);
    (*plan)->region = region;
    (*plan)->kernel = kernel;
    (*plan)->trace = options->trace;
    enum dm_status status = fill_plan(*plan, options);
    if (status != DM_OK) {
        blp_close(*plan);
        *plan = NULL;
    }
    return status;
}

void blp_close(struct blp_plan *plan)
{
    if (!plan)
        return;
    if (plan->done)
        cudaEventDestroy(plan->done);
    if (plan->stream)
        cudaStreamDestroy(plan->stream);
    engines_close(&plan->engines);
    memory_give_back(MEMORY_DEVICE, plan->memory);
    memory_give_back(MEMORY_DEVICE, plan->work.records);
    free(plan);
}

/* ---- run ---- */

static double thread_cpu_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Unless it follows tasks the host sleeps until the kernels have ended, and its CPU is free for
 * others. */
static enum dm_status wait_for_kernels(const struct blp_plan *plan)
{
    TRY_CUDA(cudaEventRecord(plan->done, plan->stream));
    TRY_CUDA(cudaEventSynchronize(plan->done));
    return DM_OK;
}

static struct blp_work work_of_round(const struct blp_plan *plan, long round)
{
    const struct dm_region *region = plan->region;
    struct blp_work work = plan->work;
    for (int a = 0; a < work.array_count; a++)
        for (int b = 0; b < work.array_count; b++)
            if (region->arrays[b].host &&
                dm_region_host(region, a, round) == region->arrays[b].host)
                work.arrays[a].host = plan->work.arrays[b].host;
    return work;
}

static enum dm_status start_kernel(const struct blp_plan *plan, const struct blp_work *work)
{
    TRY_CUDA(plan->kernel->start(work, plan->region->context, plan->stream));
    return DM_OK;
}

/* Engines may not begin to copy in what an earlier round still copies out. */
static enum dm_status execute_with_engines(struct blp_plan *plan, long round)
{
    struct blp_work work = work_of_round(plan, round);
    struct engines_progress progress;
    if (round > 0)
        TRY(wait_for_kernels(plan));
    TRY(engines_begin(&plan->engines, &work, round, &progress));
    TRY(start_kernel(plan, &work));
    TRY(engines_feed(&plan->engines, &work, plan->stream, &progress));
    return engines_end(&plan->engines, &work, plan->stream, &progress);
}

static enum dm_status execute_round(struct blp_plan *plan, long round)
{
    if (has_engines(plan))
        return execute_with_engines(plan, round);
    struct blp_work work = work_of_round(plan, round);
    return start_kernel(plan, &work);
}

static enum dm_status execute(struct blp_plan *plan)
{
    const struct dm_region *region = plan->region;
    plan->engines.copies = 0;
    for (long round = 0; round < region->rounds; round++) {
        TRY(execute_round(plan, round));
        if (region->between && round + 1 < region->rounds) {
            TRY(wait_for_kernels(plan));
            region->between(region, round, region->between_context);
        }
    }
    return wait_for_kernels(plan);
}

enum dm_status blp_run(struct blp_plan *plan, struct blp_report *report)
{
    double start_s = clock_now_s(), cpu_s = thread_cpu_s();
    TRY(execute(plan));
    plan->report.time_s = clock_now_s() - start_s;
    plan->report.host_cpu_s = thread_cpu_s() - cpu_s;
    plan->report.launches = (int)plan->region->rounds;
    plan->report.copies = plan->engines.copies;
    if (plan->trace)
        TRY(read_records(&plan->work, plan->trace));
    if (report)
        *report = plan->report;
    return DM_OK;
}
