#include "kernel.h"

#include <math.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/error_cuda.h"
#include "common/gpu.h"

#include "allocate.h"
#include "mean.h"

const char kernel_all_blocks[] = "integer bx 1 1024\ninteger by 1 1024\nrequire bx * by <= 1024\n";

struct kernel {
    const struct tuner_space *space;
    size_t dimension_x, dimension_y; /* of the parameters bx and by */
    struct tunable *tunable;
    cudaStream_t stream;
    int runs;
    cudaEvent_t *events; /* runs + 1: before, between and after the timed launches */
    double *times;       /* of the runs */
};

/* ---- opening ---- */

static bool find_numbers(const struct tuner_space *space, const char *name, size_t *dimension)
{
    return tuner_space_dimension_of(space, name, dimension) &&
           !tuner_space_parameter(space, *dimension)->words;
}

static enum dm_status find_dimensions(struct kernel *kernel)
{
    if (find_numbers(kernel->space, "bx", &kernel->dimension_x) &&
        find_numbers(kernel->space, "by", &kernel->dimension_y))
        return DM_OK;
    return dm_fail(
        DM_INVALID,
        "the space has no parameters bx and by of whole numbers: a kernel of the suite is "
        "launched with thread blocks of bx x by");
}

static enum dm_status find_size(const struct tunable_kind *kind, const char *dataset, size_t *size)
{
    *size = tunable_size(kind, dataset);
    if (*size)
        return DM_OK;
    return dm_fail(DM_INVALID,
                   "unknown data set '%s'; choose from tiny, small, full or, for %s, a "
                   "size from %zu to %zu",
                   dataset, kind->name, kind->smallest, kind->largest);
}

static enum dm_status create_events(struct kernel *kernel)
{
    kernel->times = allocate((size_t)kernel->runs, sizeof *kernel->times);
    kernel->events = allocate((size_t)kernel->runs + 1, sizeof *kernel->events);
    if (!kernel->times || !kernel->events)
        return DM_NO_MEMORY;
    TRY_CUDA(cudaStreamCreate(&kernel->stream));
    for (int i = 0; i <= kernel->runs; i++)
        TRY_CUDA(cudaEventCreate(&kernel->events[i]));
    return DM_OK;
}

enum dm_status kernel_open(struct kernel **kernel, const struct tuner_space *space,
                           const struct tunable_kind *kind, const char *dataset, int runs,
                           uint64_t seed)
{
    struct kernel found = {.space = space, .runs = runs};
    size_t size;

    *kernel = NULL;
    if (runs < 1)
        return dm_fail(DM_INVALID, "%d runs of a kernel give no time", runs);
    TRY(find_dimensions(&found));
    TRY(find_size(kind, dataset, &size));
    struct kernel *opened = allocate(1, sizeof *opened);
    if (!opened)
        return DM_NO_MEMORY;
    *opened = found;
    opened->tunable = tunable_create(kind, size, seed);
    enum dm_status status = create_events(opened);
    if (status == DM_OK)
        *kernel = opened;
    else
        kernel_close(opened);
    return status;
}

void kernel_close(struct kernel *kernel)
{
    if (!kernel)
        return;
    for (int i = 0; kernel->events && i <= kernel->runs; i++)
        if (kernel->events[i])
            cudaEventDestroy(kernel->events[i]);
    if (kernel->stream)
        cudaStreamDestroy(kernel->stream);
    tunable_release(kernel->tunable);
    free(kernel->events);
    free(kernel->times);
    free(kernel);
}

/* ---- measuring ---- */

/* A block that no GPU takes becomes one of 0 threads, which is refused. */
static dim3 block_of(const struct kernel *kernel, size_t configuration)
{
    int64_t x = tuner_space_value(kernel->space, configuration, kernel->dimension_x);
    int64_t y = tuner_space_value(kernel->space, configuration, kernel->dimension_y);
    bool possible = x >= 1 && x <= TUNABLE_THREADS && y >= 1 && y <= TUNABLE_THREADS;
    dim3 block = {possible ? (unsigned)x : 0, possible ? (unsigned)y : 0, 1};

    return block;
}

/* Launches once, not timed, and compares the results. */
static enum dm_status verify(struct kernel *kernel, dim3 block, enum tuner_outcome *outcome)
{
    tunable_reset(kernel->tunable, kernel->stream);
    cudaError_t result = tunable_launch(kernel->tunable, block, kernel->stream);
    /* Both are said of this block alone; the device stays usable. */
    if (result == cudaErrorInvalidConfiguration || result == cudaErrorLaunchOutOfResources) {
        (void)cudaGetLastError();
        *outcome = TUNER_INVALID;
        TRY_CUDA(cudaStreamSynchronize(kernel->stream));
        return DM_OK;
    }
    TRY_CUDA(result);
    *outcome = tunable_errors(kernel->tunable, kernel->stream) == 0 ? TUNER_OK : TUNER_FAILED;
    return DM_OK;
}

/* All launches are enqueued before the only wait, so that the device has no gaps between them. */
static enum dm_status measure_times(struct kernel *kernel, dim3 block)
{
    int runs = kernel->runs;

    TRY_CUDA(cudaEventRecord(kernel->events[0], kernel->stream));
    for (int i = 0; i < runs; i++) {
        TRY_CUDA(tunable_launch(kernel->tunable, block, kernel->stream));
        TRY_CUDA(cudaEventRecord(kernel->events[i + 1], kernel->stream));
    }
    TRY_CUDA(cudaEventSynchronize(kernel->events[runs]));
    for (int i = 0; i < runs; i++) {
        float milliseconds;
        TRY_CUDA(cudaEventElapsedTime(&milliseconds, kernel->events[i], kernel->events[i + 1]));
        kernel->times[i] = 1e-3 * (double)milliseconds;
    }
    return DM_OK;
}

static enum dm_status measure(void *context, size_t configuration, struct tuner_trial *trial)
{
    struct kernel *kernel = context;
    double start_s = clock_now_s();
    dim3 block = block_of(kernel, configuration);

    TRY(verify(kernel, block, &trial->outcome));
    if (trial->outcome == TUNER_OK) {
        TRY(measure_times(kernel, block));
        struct mean mean = mean_of(kernel->times, (size_t)kernel->runs);
        trial->time_s = mean.mean;
        trial->spread_s = mean.half_width;
    }
    trial->cost_s = clock_now_s() - start_s;
    return DM_OK;
}

struct tuner_objective kernel_objective(struct kernel *kernel)
{
    return (struct tuner_objective){.measure = measure, .context = kernel};
}
