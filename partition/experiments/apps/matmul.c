/* C = A * B, with each of the three kernels. */
#include <stdlib.h>

#include "application_device.h"
#include "applications.h"

/* How a kernel is launched. */
struct variant {
    const char *module, *kernel;
    unsigned block;
    bool whole_blocks; /* the kernel has no guard: n must be a multiple of the block */
    bool fixed_block;  /* the kernel works with that block only */
};

static const struct variant thesis = {"matmul", "mat_mul", 16, true, false};
static const struct variant rows = {"matmul", "mat_mul_rows", 16, false, false};
static const struct variant tiled = {"matmul_tiled", "mat_mul_tiled", 16, true, true};

static void check_shape(struct application_run *run, const struct variant *variant, int64_t n,
                        const unsigned block[3])
{
    application_require(run, n <= APPLICATION_WIDEST,
                        "n is too large: the kernels index by 32 bits");
    application_require(
        run, !variant->fixed_block || (block[0] == variant->block && block[1] == variant->block),
        "the tiled kernel needs blocks of 16 x 16");
    application_require(run, !variant->whole_blocks || (n % block[0] == 0 && n % block[1] == 0),
                        "n must be a multiple of the block: the kernel has no guard");
}

static int run_variant(const struct variant *variant, const struct application_input *input,
                       void **result, size_t *result_bytes, struct application_times *times)
{
    struct application_run run;
    unsigned block[3];
    int n = (int)input->n;
    size_t width = (size_t)input->n, bytes = width * width * sizeof(float);
    application_begin(&run, input, variant->module);
    application_block(&run, input, variant->block, variant->block, 1, block);
    check_shape(&run, variant, input->n, block);
    CUfunction function = application_function(&run, variant->kernel);
    CUdeviceptr c = application_buffer(&run, bytes);
    CUdeviceptr a = application_buffer(&run, bytes);
    CUdeviceptr b = application_buffer(&run, bytes);
    float *host_a = application_host(&run, bytes);
    float *host_b = application_host(&run, bytes);
    float *host_c = application_host(&run, bytes);
    application_fill(host_a, width * width, input->seed, -1, 1);
    application_fill(host_b, width * width, input->seed + 1, -1, 1);

    application_lap(&run);
    attempt(&run, cuMemcpyHtoD(a, host_a, bytes));
    attempt(&run, cuMemcpyHtoD(b, host_b, bytes));
    times->htod_s = application_lap(&run);
    for (int64_t i = 0; i < input->iterations; i++)
        application_launch(&run, function, width, width, 1, block, NULL,
                           (void *[]){&c, &a, &b, &n});
    attempt(&run, cuCtxSynchronize());
    times->kernel_s = application_lap(&run);
    attempt(&run, cuMemcpyDtoH(host_c, c, bytes));
    times->dtoh_s = application_lap(&run);
    times->total_s = times->htod_s + times->kernel_s + times->dtoh_s;
    return application_end(&run, host_c, bytes, result, result_bytes);
}

int application_matmul_run(const struct application_input *input, void **result,
                           size_t *result_bytes, struct application_times *times)
{
    return run_variant(&thesis, input, result, result_bytes, times);
}

int application_matmul_rows_run(const struct application_input *input, void **result,
                                size_t *result_bytes, struct application_times *times)
{
    return run_variant(&rows, input, result, result_bytes, times);
}

int application_matmul_tiled_run(const struct application_input *input, void **result,
                                 size_t *result_bytes, struct application_times *times)
{
    return run_variant(&tiled, input, result, result_bytes, times);
}

/* All three kernels add the products in the same order. */
int application_matmul_reference(const struct application_input *input, void **result,
                                 size_t *result_bytes)
{
    size_t n = (size_t)input->n;
    float *a = application_filled(n * n, input->seed, -1, 1);
    float *b = application_filled(n * n, input->seed + 1, -1, 1);
    float *c = application_filled(n * n, 0, 0, 0);
    for (size_t row = 0; row < n; row++)
        for (size_t m = 0; m < n; m++)
            for (size_t column = 0; column < n; column++)
                c[row * n + column] += a[row * n + m] * b[m * n + column];
    free(a);
    free(b);
    *result = c;
    *result_bytes = n * n * sizeof *c;
    return 0;
}
