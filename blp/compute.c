/* compute.c: how fast a kernel computes a loop: its first tasks, with their input on the device.
 *
 * The work is that of engines both ways, of the first tasks alone. All of it is copied in before
 * the kernel starts, so that no block waits for a copy, and nothing is copied out. */
#include <datamotion/blp.h>

#include <math.h>

#include "common/error_cuda.h"
#include "common/memory.h"

#include "engines.h"
#include "layout.h"
#include "options.h"

/* Units that each block computes, runs of which the shorter one counts, and the share of the loop
 * that is computed at most. */
enum { UNITS_EACH = 2, RUNS = 2, SHARE = 4 };

struct trial {
    const struct blp_kernel *kernel;
    struct dm_region region; /* the first tasks */
    struct blp_options options;
    struct blp_work work;
    struct engines engines;
    void *memory;
    cudaStream_t stream;
    cudaEvent_t start, end;
};

/* ---- which tasks ---- */

static long tasks_for(const struct blp_work *work, int blocks, long limit)
{
    long tasks = (long)UNITS_EACH * blocks / (work->stages * work->parts);
    tasks = tasks < limit ? tasks : limit;
    return tasks > 1 ? tasks : 1;
}

/* Cuts the region off behind so many iterations. */
static void cut(struct dm_region *region, long iterations)
{
    if (iterations < region->end - region->begin)
        region->end = region->begin + iterations;
    region->rounds = 1;
    region->between = NULL;
    for (int a = 0; a < region->array_count; a++) {
        long first, end;
        dm_region_window(&region->arrays[a], region->begin, region->end, &first, &end);
        if (region->arrays[a].split != DM_REGION_WHOLE)
            region->arrays[a].slices = end;
    }
}

/* Sets the trial's region, options and work: tasks as the whole loop has them. *bytes: device
 * memory that they take; 0: not one fits into the budget. */
static enum dm_status plan_trial(struct trial *trial, size_t budget, size_t *bytes)
{
    const struct dm_region whole = trial->region;
    trial->options.budget_bytes = 0;
    TRY(plan_work(&trial->work, &whole, trial->kernel, &trial->options, bytes));
    long tasks = tasks_for(&trial->work, trial->work.blocks, trial->work.tasks / SHARE);
    trial->options.task_size = trial->work.task_size;
    for (; tasks > 0; tasks /= 2) {
        trial->region = whole;
        cut(&trial->region, tasks * trial->options.task_size);
        TRY(plan_work(&trial->work, &trial->region, trial->kernel, &trial->options, bytes));
        if (!budget || *bytes <= budget)
            return DM_OK;
    }
    *bytes = 0;
    return DM_OK;
}

/* ---- on the device ---- */

static enum dm_status prepare(struct trial *trial, size_t bytes)
{
    TRY(memory_obtain(MEMORY_DEVICE, bytes, &trial->memory));
    place_work(&trial->work, trial->memory);
    trial->work.engines.out = false; /* nobody waits for what is computed */
    TRY(engines_open(&trial->engines, &trial->work, &trial->region));
    TRY_CUDA(cudaStreamCreateWithFlags(&trial->stream, cudaStreamNonBlocking));
    TRY_CUDA(cudaEventCreate(&trial->start));
    return status_of_cuda(cudaEventCreate(&trial->end));
}

static enum dm_status copy_in(struct trial *trial)
{
    struct engines_progress progress;
    TRY(engines_begin(&trial->engines, &trial->work, 0, &progress));
    TRY(engines_feed(&trial->engines, &trial->work, trial->stream, &progress));
    TRY(engines_end(&trial->engines, &trial->work, trial->stream, &progress));
    return status_of_cuda(cudaStreamSynchronize(trial->stream));
}

static enum dm_status time_kernel(const struct trial *trial, const struct blp_work *work,
                                  double *time_s)
{
    float milliseconds;
    TRY_CUDA(cudaEventRecord(trial->start, trial->stream));
    TRY_CUDA(trial->kernel->start(work, trial->region.context, trial->stream));
    TRY_CUDA(cudaEventRecord(trial->end, trial->stream));
    TRY_CUDA(cudaEventSynchronize(trial->end));
    TRY_CUDA(cudaEventElapsedTime(&milliseconds, trial->start, trial->end));
    *time_s = 1e-3 * milliseconds;
    return DM_OK;
}

/* Seconds of a unit when so many blocks compute. */
static enum dm_status time_unit(const struct trial *trial, int blocks, double *unit_s)
{
    struct blp_work work = trial->work;
    double least_s = INFINITY, time_s;
    work.blocks = blocks;
    work.tasks = tasks_for(&work, blocks, work.tasks);
    if (work.begin + work.tasks * work.task_size < work.end)
        work.end = work.begin + work.tasks * work.task_size;
    for (int run = 0; run < RUNS; run++) {
        TRY(time_kernel(trial, &work, &time_s));
        least_s = fmin(least_s, time_s);
    }
    *unit_s = fmax(least_s, 1e-9) / ceil((double)blp_units(&work) / blocks);
    return DM_OK;
}

/* Rows that an engine copies in while all blocks compute. They have the values that are there. */
static enum dm_status time_rows(struct trial *trial, double *row_s)
{
    const cudaStream_t lane = trial->engines.in[0];
    float milliseconds;
    long rows;
    TRY_CUDA(trial->kernel->start(&trial->work, trial->region.context, trial->stream));
    TRY_CUDA(cudaEventRecord(trial->start, lane));
    TRY(engines_copy_columns(&trial->engines, &trial->work, lane, &rows));
    TRY_CUDA(cudaEventRecord(trial->end, lane));
    TRY_CUDA(cudaStreamSynchronize(trial->stream));
    TRY_CUDA(cudaEventSynchronize(trial->end));
    TRY_CUDA(cudaEventElapsedTime(&milliseconds, trial->start, trial->end));
    *row_s = rows ? 1e-3 * milliseconds / (double)rows : 0.0;
    return DM_OK;
}

static enum dm_status measure(struct trial *trial, size_t bytes, struct blp_compute *compute)
{
    TRY(prepare(trial, bytes));
    TRY(copy_in(trial));
    for (int i = 0; i < 2; i++)
        TRY(time_unit(trial, compute->blocks[i], &compute->unit_s[i]));
    return time_rows(trial, &compute->row_s);
}

static void release(struct trial *trial)
{
    if (trial->start)
        cudaEventDestroy(trial->start);
    if (trial->end)
        cudaEventDestroy(trial->end);
    if (trial->stream)
        cudaStreamDestroy(trial->stream);
    engines_close(&trial->engines);
    memory_give_back(MEMORY_DEVICE, trial->memory);
}

/* Blocks that compute when engines copy, and when blocks do. */
static enum dm_status find_blocks(const struct dm_region *region, const struct blp_kernel *kernel,
                                  const struct blp_options *options, struct blp_compute *compute)
{
    struct blp_options copying = *options;
    struct blp_work work;
    size_t bytes;
    copying.in = copying.out = BLP_BLOCKS;
    TRY(plan_work(&work, region, kernel, &copying, &bytes));
    compute->blocks[0] = work.blocks;
    compute->blocks[1] = blp_compute_blocks(&work);
    return DM_OK;
}

enum dm_status blp_measure_compute(const struct dm_region *region, const struct blp_kernel *kernel,
                                   const struct blp_options *options, struct blp_compute *compute)
{
    struct trial trial = {.kernel = kernel, .region = *region, .options = *options};
    size_t bytes;
    *compute = (struct blp_compute){0};
    TRY(check_all(region, kernel, options));
    trial.options.in = trial.options.out = BLP_ENGINE;
    trial.options.copy_in_blocks = trial.options.copy_out_blocks = 0;
    trial.options.dynamic = false;
    TRY(plan_trial(&trial, options->budget_bytes, &bytes));
    if (bytes == 0)
        return DM_OK;
    struct blp_compute found = {0};
    enum dm_status status = find_blocks(region, kernel, options, &found);
    if (status == DM_OK)
        status = measure(&trial, bytes, &found);
    release(&trial);
    if (status == DM_OK)
        *compute = found;
    return status;
}
