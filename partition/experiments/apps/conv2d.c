/* Convolution with 5 x 5 coefficients: steps with the coefficients in a buffer and steps with them
 * in a constant variable of the module take turns. */
#include <stdlib.h>

#include "application_device.h"
#include "applications.h"

enum { TAPS = 25 };

/* Their sum is at most 1, so that the image stays bounded. */
static void fill_coefficients(float coefficients[TAPS], uint64_t seed)
{
    application_fill(coefficients, TAPS, seed + 1, -0.04f, 0.04f);
}

static void launch_steps(struct application_run *run, const struct application_input *input,
                         CUdeviceptr coefficients, CUdeviceptr *image, CUdeviceptr *out)
{
    unsigned block[3];
    int n = (int)input->n;
    size_t width = (size_t)input->n;
    application_block(run, input, 32, 8, 1, block);
    CUfunction buffer = application_function(run, "conv2d");
    CUfunction constant = application_function(run, "conv2d_constant");
    for (int64_t i = 0; i < input->iterations; i++) {
        if (i % 2 == 0)
            application_launch(run, buffer, width, width, 1, block, NULL,
                               (void *[]){image, &coefficients, out, &n, &n});
        else
            application_launch(run, constant, width, width, 1, block, NULL,
                               (void *[]){image, out, &n, &n});
        CUdeviceptr written = *out;
        *out = *image;
        *image = written;
    }
    attempt(run, cuCtxSynchronize());
}

int application_conv2d_run(const struct application_input *input, void **result,
                           size_t *result_bytes, struct application_times *times)
{
    struct application_run run;
    CUdeviceptr constant = 0;
    size_t constant_bytes = 0;
    float taps[TAPS];
    size_t width = (size_t)input->n, bytes = width * width * sizeof(float);
    application_begin(&run, input, "conv2d");
    application_require(&run, input->n <= APPLICATION_WIDEST,
                        "n is too large: the kernels index by 32 bits");
    attempt(&run, cuModuleGetGlobal(&constant, &constant_bytes, run.module, "conv2d_coefficients"));
    application_require(&run, constant_bytes == sizeof taps,
                        "conv2d_coefficients has an unexpected size");
    CUdeviceptr coefficients = application_buffer(&run, sizeof taps);
    CUdeviceptr image = application_buffer(&run, bytes);
    CUdeviceptr out = application_buffer(&run, bytes);
    float *pixels = application_host(&run, bytes);
    application_fill(pixels, width * width, input->seed, -1, 1);
    fill_coefficients(taps, input->seed);

    application_lap(&run);
    attempt(&run, cuMemcpyHtoD(coefficients, taps, sizeof taps));
    attempt(&run, cuMemcpyHtoD(constant, taps, sizeof taps));
    attempt(&run, cuMemcpyHtoD(image, pixels, bytes));
    attempt(&run, cuMemcpyDtoD(out, image, bytes));
    times->htod_s = application_lap(&run);
    launch_steps(&run, input, coefficients, &image, &out);
    times->kernel_s = application_lap(&run);
    attempt(&run, cuMemcpyDtoH(pixels, image, bytes));
    times->dtoh_s = application_lap(&run);
    times->total_s = times->htod_s + times->kernel_s + times->dtoh_s;
    return application_end(&run, pixels, bytes, result, result_bytes);
}

static void step(const float *image, const float *taps, float *out, size_t n)
{
    for (size_t y = 2; y + 2 < n; y++)
        for (size_t x = 2; x + 2 < n; x++) {
            float sum = 0;
            for (size_t i = 0; i < 5; i++)
                for (size_t j = 0; j < 5; j++)
                    sum += image[(y + i - 2) * n + x + j - 2] * taps[i * 5 + j];
            out[y * n + x] = sum;
        }
}

int application_conv2d_reference(const struct application_input *input, void **result,
                                 size_t *result_bytes)
{
    float taps[TAPS];
    size_t n = (size_t)input->n;
    float *image = application_filled(n * n, input->seed, -1, 1);
    float *out = application_filled(n * n, input->seed, -1, 1);
    fill_coefficients(taps, input->seed);
    for (int64_t i = 0; i < input->iterations; i++) {
        step(image, taps, out, n);
        float *written = out;
        out = image;
        image = written;
    }
    free(out);
    *result = image;
    *result_bytes = n * n * sizeof *image;
    return 0;
}
