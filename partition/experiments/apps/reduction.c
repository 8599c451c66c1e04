/* Sum of a vector: halved step by step, then summed by blocks; the block sums are the result. */
#include <stdlib.h>

#include "application_device.h"
#include "applications.h"

enum { BLOCK = 256, HALVED_UNTIL = 4096 };

static bool power_of_two(int64_t value)
{
    return value > 0 && (value & (value - 1)) == 0;
}

/* Elements that are left for the blocks. */
static size_t elements_left(size_t n)
{
    return n < HALVED_UNTIL ? n : HALVED_UNTIL;
}

static size_t block_sums(size_t n, unsigned block)
{
    return (elements_left(n) + block - 1) / block;
}

/* `in` is not changed: `even` and `odd` take turns. */
static void launch_sum(struct application_run *run, size_t n, const unsigned block[3],
                       CUdeviceptr in, CUdeviceptr even, CUdeviceptr odd, CUdeviceptr sums)
{
    CUfunction halve = application_function(run, "reduce_step");
    CUfunction by_block = application_function(run, "reduce_block");
    int left = (int)n;
    while (left > HALVED_UNTIL) {
        CUdeviceptr out = even;
        left /= 2;
        application_launch(run, halve, (size_t)left, 1, 1, block, NULL,
                           (void *[]){&out, &in, &left});
        in = out;
        even = odd;
        odd = out;
    }
    application_launch(run, by_block, (size_t)left, 1, 1, block, NULL,
                       (void *[]){&sums, &in, &left});
}

int application_reduction_run(const struct application_input *input, void **result,
                              size_t *result_bytes, struct application_times *times)
{
    struct application_run run;
    unsigned block[3];
    application_begin_own(&run, input, "reduction");
    application_block(&run, input, BLOCK, 1, 1, block);
    application_require(&run, power_of_two(input->n) && input->n <= 1 << 30,
                        "n must be a power of two, at most 2^30");
    application_require(&run, power_of_two(block[0]) && block[0] <= BLOCK,
                        "the block must be a power of two of at most 256 threads");
    size_t n = (size_t)input->n, bytes = n * sizeof(float);
    size_t sum_bytes = block_sums(n, block[0]) * sizeof(float);
    CUdeviceptr in = application_buffer(&run, bytes);
    CUdeviceptr even = application_buffer(&run, bytes);
    CUdeviceptr odd = application_buffer(&run, bytes);
    CUdeviceptr sums = application_buffer(&run, sum_bytes);
    float *values = application_host(&run, bytes);
    float *host_sums = application_host(&run, sum_bytes);
    application_fill(values, n, input->seed, -1, 1);

    application_lap(&run);
    attempt(&run, cuMemcpyHtoD(in, values, bytes));
    times->htod_s = application_lap(&run);
    for (int64_t i = 0; i < input->iterations; i++)
        launch_sum(&run, n, block, in, even, odd, sums);
    attempt(&run, cuCtxSynchronize());
    times->kernel_s = application_lap(&run);
    attempt(&run, cuMemcpyDtoH(host_sums, sums, sum_bytes));
    times->dtoh_s = application_lap(&run);
    times->total_s = times->htod_s + times->kernel_s + times->dtoh_s;
    return application_end(&run, host_sums, sum_bytes, result, result_bytes);
}

/* The sum of one block, in the kernel's order; what is behind the end counts as 0. */
static float block_sum(const float *values, size_t count, unsigned block)
{
    float sums[BLOCK];
    for (size_t t = 0; t < block; t++)
        sums[t] = t < count ? values[t] : 0.0f;
    for (size_t k = block / 2; k > 0; k /= 2)
        for (size_t t = 0; t < k; t++)
            sums[t] += sums[t + k];
    return sums[0];
}

int application_reduction_reference(const struct application_input *input, void **result,
                                    size_t *result_bytes)
{
    unsigned block = input->block[0] > 0 ? (unsigned)input->block[0] : BLOCK;
    size_t n = (size_t)input->n, left = elements_left(n);
    float *values = application_filled(n, input->seed, -1, 1);
    for (size_t half = n / 2; half >= left && half > 0; half /= 2)
        for (size_t i = 0; i < half; i++)
            values[i] += values[i + half];
    for (size_t b = 0; b < block_sums(n, block); b++)
        values[b] = block_sum(values + b * block, left - b * block, block);
    *result = values;
    *result_bytes = block_sums(n, block) * sizeof *values;
    return 0;
}
