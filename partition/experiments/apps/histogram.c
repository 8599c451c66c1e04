/* Histogram by atomic additions: which element is written depends on data, so that each device
 * counts for itself. */
#include <limits.h>
#include <stdlib.h>

#include "common/harness/exit.h"
#include "common/random.h"

#include "application_device.h"
#include "applications.h"

enum { BINS = 256 };

static void fill_values(int *values, size_t n, uint64_t seed)
{
    for (size_t i = 0; values && i < n; i++)
        values[i] = (int)random_below(seed, i, BINS);
}

int application_histogram_run(const struct application_input *input, void **result,
                              size_t *result_bytes, struct application_times *times)
{
    struct application_run run;
    unsigned block[3];
    int n = (int)input->n;
    size_t count = (size_t)input->n, bytes = count * sizeof(int), bin_bytes = BINS * sizeof(int);
    application_begin_own(&run, input, "irregular");
    application_require(&run, input->n <= INT_MAX / 2, "n is too large");
    application_require(&run, input->iterations < INT_MAX / (input->n > 0 ? input->n : 1),
                        "n times iterations is too large for the counters");
    application_block(&run, input, 256, 1, 1, block);
    CUfunction function = application_function(&run, "histogram");
    CUdeviceptr in = application_buffer(&run, bytes);
    CUdeviceptr bins = application_buffer(&run, bin_bytes);
    int *values = application_host(&run, bytes);
    int *counters = application_host(&run, bin_bytes);
    fill_values(values, count, input->seed);

    application_lap(&run);
    attempt(&run, cuMemcpyHtoD(in, values, bytes));
    attempt(&run, cuMemsetD32(bins, 0, BINS));
    times->htod_s = application_lap(&run);
    for (int64_t i = 0; i < input->iterations; i++)
        application_launch(&run, function, count, 1, 1, block, NULL, (void *[]){&in, &bins, &n});
    attempt(&run, cuCtxSynchronize());
    times->kernel_s = application_lap(&run);
    attempt(&run, cuMemcpyDtoH(counters, bins, bin_bytes));
    times->dtoh_s = application_lap(&run);
    times->total_s = times->htod_s + times->kernel_s + times->dtoh_s;
    return application_end(&run, counters, bin_bytes, result, result_bytes);
}

int application_histogram_reference(const struct application_input *input, void **result,
                                    size_t *result_bytes)
{
    size_t n = (size_t)input->n;
    int *values = allocate_or_fail(n, sizeof *values);
    int *counters = allocate_or_fail(BINS, sizeof *counters);
    fill_values(values, n, input->seed);
    for (size_t bin = 0; bin < BINS; bin++)
        counters[bin] = 0;
    for (size_t i = 0; i < n; i++)
        counters[values[i]] += (int)input->iterations;
    free(values);
    *result = counters;
    *result_bytes = BINS * sizeof *counters;
    return 0;
}
