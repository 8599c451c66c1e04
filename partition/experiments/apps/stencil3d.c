/* Seven-point stencil on a cube of n elements each way. */
#include <stdlib.h>

#include "application_device.h"
#include "applications.h"

int application_stencil3d_run(const struct application_input *input, void **result,
                              size_t *result_bytes, struct application_times *times)
{
    struct application_run run;
    unsigned block[3];
    int n = (int)input->n;
    size_t width = (size_t)input->n, count = width * width * width, bytes = count * sizeof(float);
    application_begin(&run, input, "stencil3d");
    application_require(&run, input->n < 1291, "n is too large: the kernel indexes by 32 bits");
    application_block(&run, input, 32, 4, 2, block);
    CUfunction function = application_function(&run, "stencil3d");
    CUdeviceptr in = application_buffer(&run, bytes);
    CUdeviceptr out = application_buffer(&run, bytes);
    float *cube = application_host(&run, bytes);
    application_fill(cube, count, input->seed, -1, 1);

    application_lap(&run);
    attempt(&run, cuMemcpyHtoD(in, cube, bytes));
    attempt(&run, cuMemcpyHtoD(out, cube, bytes));
    times->htod_s = application_lap(&run);
    for (int64_t i = 0; i < input->iterations; i++) {
        application_launch(&run, function, width, width, width, block, NULL,
                           (void *[]){&in, &out, &n, &n, &n});
        CUdeviceptr written = out;
        out = in;
        in = written;
    }
    attempt(&run, cuCtxSynchronize());
    times->kernel_s = application_lap(&run);
    attempt(&run, cuMemcpyDtoH(cube, in, bytes));
    times->dtoh_s = application_lap(&run);
    times->total_s = times->htod_s + times->kernel_s + times->dtoh_s;
    return application_end(&run, cube, bytes, result, result_bytes);
}

static void step(const float *in, float *out, size_t n)
{
    for (size_t z = 1; z + 1 < n; z++)
        for (size_t y = 1; y + 1 < n; y++)
            for (size_t x = 1; x + 1 < n; x++) {
                size_t id = (z * n + y) * n + x;
                float sum = in[id - 1] + in[id + 1];
                sum += in[id - n] + in[id + n];
                sum += in[id - n * n] + in[id + n * n];
                out[id] = 0.4f * in[id] + 0.1f * sum;
            }
}

int application_stencil3d_reference(const struct application_input *input, void **result,
                                    size_t *result_bytes)
{
    size_t n = (size_t)input->n;
    float *in = application_filled(n * n * n, input->seed, -1, 1);
    float *out = application_filled(n * n * n, input->seed, -1, 1);
    for (int64_t i = 0; i < input->iterations; i++) {
        step(in, out, n);
        float *written = out;
        out = in;
        in = written;
    }
    free(out);
    *result = in;
    *result_bytes = n * n * n * sizeof *in;
    return 0;
}
