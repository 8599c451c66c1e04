/* A kernel of the suite as an oracle: the time of its launches on the device. */
#include "clock.h"
#include "gpu.h"
#include "status.h"
#include "tuner_complain.h"
#include "tuner_mean.h"
#include "tuner_oracle.h"
#include "workloads/tunable.h"

#include <math.h>
#include <stdlib.h>

struct tuner_kernel {
    const struct tuner_space *space;
    size_t dimension_x, dimension_y; /* of the parameters bx and by */
    struct tunable *tunable;
    cudaStream_t stream;
    int runs;
    cudaEvent_t *events; /* runs + 1: before, between and after the timed launches */
    double *times;       /* of the runs */
};

/* ---- opening ---- */

static bool find_dimensions(struct tuner_kernel *kernel, const char **complaint)
{
    if (tuner_space_dimension_of(kernel->space, "bx", &kernel->dimension_x) &&
        tuner_space_dimension_of(kernel->space, "by", &kernel->dimension_y))
        return true;
    return tuner_complain(complaint, "the space has no parameters bx and by: a kernel of the suite "
                                     "is launched with thread blocks of bx x by");
}

static bool choose_kernel(const char *name, const char *dataset, const struct tunable_kind **kind,
                          size_t *size, const char **complaint)
{
    *kind = tunable_kind_of(name);
    if (!*kind)
        return tuner_complain(complaint, "there is no kernel %s", name);
    *size = tunable_size(*kind, dataset);
    if (!*size)
        return tuner_complain(complaint,
                              "%s has no data set %s, which is no size from %zu to %zu either",
                              name, dataset, (*kind)->smallest, (*kind)->largest);
    return true;
}

struct tuner_kernel *tuner_kernel_open(const struct tuner_space *space, const char *name,
                                       const char *dataset, int runs, uint64_t seed,
                                       const char **complaint)
{
    struct tuner_kernel found = {.space = space, .runs = runs};
    const struct tunable_kind *kind;
    size_t size = 0;

    if (runs < 1)
        return tuner_complain(complaint, "%d runs of a kernel give no time", runs);
    if (!find_dimensions(&found, complaint) ||
        !choose_kernel(name, dataset, &kind, &size, complaint))
        return NULL;
    struct tuner_kernel *kernel = allocate_or_fail(1, sizeof *kernel);
    *kernel = found;
    kernel->tunable = tunable_create(kind, size, seed);
    kernel->times = allocate_or_fail((size_t)runs, sizeof *kernel->times);
    kernel->events = allocate_or_fail((size_t)runs + 1, sizeof *kernel->events);
    check_cuda(cudaStreamCreate(&kernel->stream));
    for (int i = 0; i <= runs; i++)
        check_cuda(cudaEventCreate(&kernel->events[i]));
    return kernel;
}

void tuner_kernel_close(struct tuner_kernel *kernel)
{
    if (!kernel)
        return;
    for (int i = 0; i <= kernel->runs; i++)
        check_cuda(cudaEventDestroy(kernel->events[i]));
    check_cuda(cudaStreamDestroy(kernel->stream));
    tunable_release(kernel->tunable);
    free(kernel->events);
    free(kernel->times);
    free(kernel);
}

/* ---- measuring ---- */

/* A block that no GPU takes becomes one of 0 threads, which is refused. */
static dim3 block_of(const struct tuner_kernel *kernel, size_t configuration)
{
    int64_t x = tuner_space_value(kernel->space, configuration, kernel->dimension_x);
    int64_t y = tuner_space_value(kernel->space, configuration, kernel->dimension_y);
    bool possible = x >= 1 && x <= TUNABLE_THREADS && y >= 1 && y <= TUNABLE_THREADS;
    dim3 block = {possible ? (unsigned)x : 0, possible ? (unsigned)y : 0, 1};

    return block;
}

/* Launches once, not timed, and compares the results. */
static enum tuner_outcome verify(struct tuner_kernel *kernel, dim3 block)
{
    tunable_reset(kernel->tunable, kernel->stream);
    cudaError_t result = tunable_launch(kernel->tunable, block, kernel->stream);
    /* Both are said of this block alone; the device stays usable. */
    if (result == cudaErrorInvalidConfiguration || result == cudaErrorLaunchOutOfResources) {
        (void)cudaGetLastError();
        check_cuda(cudaStreamSynchronize(kernel->stream));
        return TUNER_INVALID;
    }
    check_cuda(result);
    return tunable_errors(kernel->tunable, kernel->stream) == 0 ? TUNER_OK : TUNER_FAILED;
}

/* All launches are enqueued before the only wait, so that the device has no gaps between them. */
static void measure_times(struct tuner_kernel *kernel, dim3 block)
{
    int runs = kernel->runs;

    check_cuda(cudaEventRecord(kernel->events[0], kernel->stream));
    for (int i = 0; i < runs; i++) {
        check_cuda(tunable_launch(kernel->tunable, block, kernel->stream));
        check_cuda(cudaEventRecord(kernel->events[i + 1], kernel->stream));
    }
    check_cuda(cudaEventSynchronize(kernel->events[runs]));
    for (int i = 0; i < runs; i++) {
        float milliseconds;
        check_cuda(cudaEventElapsedTime(&milliseconds, kernel->events[i], kernel->events[i + 1]));
        kernel->times[i] = 1e-3 * (double)milliseconds;
    }
}

static struct tuner_trial measure(void *context, size_t configuration)
{
    struct tuner_kernel *kernel = context;
    struct tuner_trial trial = {.time_s = NAN};
    double start_s = clock_now_s();
    dim3 block = block_of(kernel, configuration);

    trial.outcome = verify(kernel, block);
    if (trial.outcome == TUNER_OK) {
        measure_times(kernel, block);
        struct tuner_mean mean = tuner_mean_of(kernel->times, (size_t)kernel->runs);
        trial.time_s = mean.mean;
        trial.spread_s = mean.half_width;
    }
    trial.cost_s = clock_now_s() - start_s;
    return trial;
}

struct tuner_oracle tuner_kernel_oracle(struct tuner_kernel *kernel)
{
    return (struct tuner_oracle){.measure = measure, .context = kernel};
}
