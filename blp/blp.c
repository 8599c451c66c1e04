#include "blp.h"

#include <stdlib.h>
#include <time.h>

#include "common/clock.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"

#include "blp_layout.h"
#include "blp_options.h"
#include "blp_records.h"

struct blp_plan {
    const struct dm_region *region;
    const struct blp_kernel *kernel;
    struct blp_work work; /* of the first round */
    struct blp_report report;
    struct blp_trace *trace;
    void *memory;
    cudaStream_t stream;
    cudaEvent_t done;
};

/* ---- open and close ---- */

static const char *plan_work(struct blp_plan *plan, const struct dm_region *region,
                             const struct blp_options *options)
{
    const char *complaint = dm_region_check(region) != DM_OK ? dm_message() : NULL;
    if (!complaint)
        complaint = blp_options_complaint(options);
    if (complaint)
        return complaint;
    plan->region = region;
    plan->trace = options->trace;
    plan->kernel = blp_kernel_of(region->name);
    if (!plan->kernel)
        return blp_complain("there is no persistent kernel for region %s", region->name);
    complaint = blp_choose_groups(&plan->work, plan->kernel, options);
    if (!complaint)
        complaint = blp_find_host(&plan->work, region, options);
    if (!complaint)
        complaint =
            blp_layout(&plan->work, region, plan->kernel, options, &plan->report.device_bytes);
    return complaint;
}

static const char *take_memory(struct blp_plan *plan)
{
    cudaError_t error = cudaMalloc(&plan->memory, plan->report.device_bytes);
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        return blp_complain("the device has no %zu bytes for region %s", plan->report.device_bytes,
                            plan->region->name);
    }
    check_cuda(error);
    blp_place(&plan->work, plan->memory);
    return NULL;
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
}

struct blp_plan *blp_open(const struct dm_region *region, const struct blp_options *options,
                          const char **complaint)
{
    struct blp_plan *plan = allocate_or_fail(1, sizeof *plan);
    *plan = (struct blp_plan){0};
    *complaint = plan_work(plan, region, options);
    if (!*complaint)
        *complaint = take_memory(plan);
    if (*complaint) {
        free(plan);
        return NULL;
    }
    fill_report(plan);
    if (plan->trace)
        plan->work.records = memory_allocate(MEMORY_DEVICE, (size_t)blp_records_most(&plan->work) *
                                                                sizeof(struct blp_record));
    check_cuda(cudaStreamCreateWithFlags(&plan->stream, cudaStreamNonBlocking));
    check_cuda(
        cudaEventCreateWithFlags(&plan->done, cudaEventBlockingSync | cudaEventDisableTiming));
    return plan;
}

void blp_close(struct blp_plan *plan)
{
    if (!plan)
        return;
    check_cuda(cudaEventDestroy(plan->done));
    check_cuda(cudaStreamDestroy(plan->stream));
    check_cuda(cudaFree(plan->memory));
    memory_release(MEMORY_DEVICE, plan->work.records);
    free(plan);
}

/* ---- run ---- */

static double thread_cpu_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Sleeps until the kernels have ended, so that the host's CPU is free for others. */
static void wait_for_kernels(const struct blp_plan *plan)
{
    check_cuda(cudaEventRecord(plan->done, plan->stream));
    check_cuda(cudaEventSynchronize(plan->done));
}

static void start_round(const struct blp_plan *plan, long round)
{
    const struct dm_region *region = plan->region;
    struct blp_work work = plan->work;
    for (int a = 0; a < work.array_count; a++)
        for (int b = 0; b < work.array_count; b++)
            if (region->arrays[b].host &&
                dm_region_host(region, a, round) == region->arrays[b].host)
                work.arrays[a].host = plan->work.arrays[b].host;
    check_cuda(plan->kernel->start(&work, region->context, plan->stream));
}

void blp_run(struct blp_plan *plan, struct blp_report *report)
{
    const struct dm_region *region = plan->region;
    double start_s = clock_now_s(), cpu_s = thread_cpu_s();
    for (long round = 0; round < region->rounds; round++) {
        start_round(plan, round);
        if (region->between && round + 1 < region->rounds) {
            wait_for_kernels(plan);
            region->between(region, round, region->between_context);
        }
    }
    wait_for_kernels(plan);
    plan->report.time_s = clock_now_s() - start_s;
    plan->report.host_cpu_s = thread_cpu_s() - cpu_s;
    plan->report.launches = (int)region->rounds;
    if (plan->trace)
        blp_read_records(&plan->work, plan->trace);
    if (report)
        *report = plan->report;
}
