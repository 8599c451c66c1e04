/* Mesh refinement: the windows of the launches differ, so that a later launch reads elements that
 * different launches wrote last. */
#include <limits.h>
#include <stdlib.h>

#include "application_device.h"
#include "applications.h"

/* The window of a step, [begin, end): the whole mesh, its middle half, its middle quarter. */
static void window(int64_t step, int n, int *begin, int *end)
{
    const int margin[3] = {1, n / 4, 3 * (n / 8)};
    *begin = margin[step % 3];
    *end = n - margin[step % 3];
}

int application_refine_run(const struct application_input *input, void **result,
                           size_t *result_bytes, struct application_times *times)
{
    struct application_run run;
    unsigned block[3];
    size_t n = (size_t)input->n, bytes = n * sizeof(float);
    application_begin_own(&run, input, "refine");
    application_require(&run, input->n >= 16 && input->n <= INT_MAX / 4,
                        "n must be from 16 to 2^29");
    application_block(&run, input, 256, 1, 1, block);
    CUfunction function = application_function(&run, "refine");
    CUdeviceptr in = application_buffer(&run, bytes);
    CUdeviceptr out = application_buffer(&run, bytes);
    float *mesh = application_host(&run, bytes);
    application_fill(mesh, n, input->seed, -1, 1);

    application_lap(&run);
    attempt(&run, cuMemcpyHtoD(in, mesh, bytes));
    attempt(&run, cuMemcpyHtoD(out, mesh, bytes));
    times->htod_s = application_lap(&run);
    for (int64_t i = 0; i < input->iterations; i++) {
        int begin, end;
        window(i, (int)input->n, &begin, &end);
        application_launch(&run, function, n, 1, 1, block, NULL,
                           (void *[]){&in, &out, &begin, &end});
        CUdeviceptr written = out;
        out = in;
        in = written;
    }
    attempt(&run, cuCtxSynchronize());
    times->kernel_s = application_lap(&run);
    attempt(&run, cuMemcpyDtoH(mesh, in, bytes));
    times->dtoh_s = application_lap(&run);
    times->total_s = times->htod_s + times->kernel_s + times->dtoh_s;
    return application_end(&run, mesh, bytes, result, result_bytes);
}

int application_refine_reference(const struct application_input *input, void **result,
                                 size_t *result_bytes)
{
    size_t n = (size_t)input->n;
    float *in = application_filled(n, input->seed, -1, 1);
    float *out = application_filled(n, input->seed, -1, 1);
    for (int64_t i = 0; i < input->iterations; i++) {
        int begin, end;
        window(i, (int)input->n, &begin, &end);
        for (int k = begin; k < end; k++)
            out[k] = 0.25f * in[k - 1] + 0.5f * in[k] + 0.25f * in[k + 1];
        float *written = out;
        out = in;
        in = written;
    }
    free(out);
    *result = in;
    *result_bytes = n * sizeof *in;
    return 0;
}
