/* Five-point and nine-point stencil; the buffers are swapped after each step. */
#include <stdlib.h>
#include <string.h>

#include "application_device.h"
#include "applications.h"

static int run_kernel(const char *kernel, const struct application_input *input, void **result,
                      size_t *result_bytes, struct application_times *times)
{
    struct application_run run;
    unsigned block[3];
    int n = (int)input->n;
    size_t width = (size_t)input->n, bytes = width * width * sizeof(float);
    application_begin(&run, input, "stencil");
    application_require(&run, input->n <= APPLICATION_WIDEST,
                        "n is too large: the kernels index by 32 bits");
    application_block(&run, input, 32, 32, 1, block);
    CUfunction function = application_function(&run, kernel);
    CUdeviceptr in = application_buffer(&run, bytes);
    CUdeviceptr out = application_buffer(&run, bytes);
    float *grid = application_host(&run, bytes);
    application_fill(grid, width * width, input->seed, 0, 127);

    application_lap(&run);
    attempt(&run, cuMemcpyHtoD(in, grid, bytes));
    attempt(&run, cuMemcpyHtoD(out, grid, bytes));
    times->htod_s = application_lap(&run);
    for (int64_t i = 0; i < input->iterations; i++) {
        application_launch(&run, function, width, width, 1, block, NULL, (void *[]){&in, &out, &n});
        CUdeviceptr written = out;
        out = in;
        in = written;
    }
    attempt(&run, cuCtxSynchronize());
    times->kernel_s = application_lap(&run);
    attempt(&run, cuMemcpyDtoH(grid, in, bytes));
    times->dtoh_s = application_lap(&run);
    times->total_s = times->htod_s + times->kernel_s + times->dtoh_s;
    return application_end(&run, grid, bytes, result, result_bytes);
}

int application_stencil_run(const struct application_input *input, void **result,
                            size_t *result_bytes, struct application_times *times)
{
    return run_kernel("stencil5p", input, result, result_bytes, times);
}

int application_stencil9_run(const struct application_input *input, void **result,
                             size_t *result_bytes, struct application_times *times)
{
    return run_kernel("stencil9p", input, result, result_bytes, times);
}

static float clamp(float value)
{
    value = value > 127.0f ? 127.0f : value;
    return value < 0.0f ? 0.0f : value;
}

/* `at` is the middle element, n the width. */
static float five_points(const float *at, size_t n)
{
    float value = *(at - n);
    value += at[n];
    value += at[-1];
    value += at[1];
    value += -4.0f * at[0];
    value *= 0.24f;
    value += at[0];
    return clamp(value);
}

static float nine_points(const float *at, size_t n)
{
    float near = *(at - n);
    near += at[n];
    near += at[-1];
    near += at[1];
    float far = *(at - 2 * n);
    far += at[2 * n];
    far += at[-2];
    far += at[2];
    float value = 16.0f * near - far - 60.0f * at[0];
    value *= 0.015f;
    value += at[0];
    return clamp(value);
}

static int reference(const struct application_input *input, size_t border,
                     float (*points)(const float *at, size_t n), void **result,
                     size_t *result_bytes)
{
    size_t n = (size_t)input->n;
    float *in = application_filled(n * n, input->seed, 0, 127);
    float *out = application_filled(n * n, input->seed, 0, 127);
    for (int64_t i = 0; i < input->iterations; i++) {
        for (size_t y = border; y + border < n; y++)
            for (size_t x = border; x + border < n; x++)
                out[y * n + x] = points(in + y * n + x, n);
        float *written = out;
        out = in;
        in = written;
    }
    free(out);
    *result = in;
    *result_bytes = n * n * sizeof *in;
    return 0;
}

int application_stencil_reference(const struct application_input *input, void **result,
                                  size_t *result_bytes)
{
    return reference(input, 1, five_points, result, result_bytes);
}

int application_stencil9_reference(const struct application_input *input, void **result,
                                   size_t *result_bytes)
{
    return reference(input, 2, nine_points, result, result_bytes);
}
