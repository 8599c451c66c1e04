/* A pipeline of two kernels on a vector, with streams, events, asynchronous copies and fills. One
 * buffer holds both vectors: the kernels get pointers into its middle. */
#include <limits.h>
#include <stdlib.h>

#include "application_device.h"
#include "applications.h"

static const float factor = 0.75f;

struct chain {
    CUstream copies, kernels;
    CUevent copied, computed;
    CUfunction smooth, scale;
    CUdeviceptr front, back; /* the halves of the buffer */
};

static void chain_create(struct application_run *run, size_t bytes, struct chain *chain)
{
    *chain = (struct chain){0};
    chain->smooth = application_function(run, "chain_smooth");
    chain->scale = application_function(run, "chain_scale");
    chain->front = application_buffer(run, 2 * bytes);
    chain->back = chain->front + bytes;
    attempt(run, cuStreamCreate(&chain->copies, CU_STREAM_NON_BLOCKING));
    attempt(run, cuStreamCreate(&chain->kernels, CU_STREAM_NON_BLOCKING));
    attempt(run, cuEventCreate(&chain->copied, CU_EVENT_DEFAULT));
    attempt(run, cuEventCreate(&chain->computed, CU_EVENT_DEFAULT));
}

static void chain_destroy(struct chain *chain)
{
    if (chain->computed)
        cuEventDestroy(chain->computed);
    if (chain->copied)
        cuEventDestroy(chain->copied);
    if (chain->kernels)
        cuStreamDestroy(chain->kernels);
    if (chain->copies)
        cuStreamDestroy(chain->copies);
}

/* The first and the last element of `back` are never written by a kernel and stay 0. */
static void chain_launch(struct application_run *run, const struct application_input *input,
                         struct chain *chain)
{
    unsigned block[3];
    int n = (int)input->n;
    float f = factor;
    application_block(run, input, 256, 1, 1, block);
    attempt(run, cuMemsetD32Async(chain->back, 0, (size_t)input->n, chain->kernels));
    attempt(run, cuStreamWaitEvent(chain->kernels, chain->copied, 0));
    for (int64_t i = 0; i < input->iterations; i++) {
        application_launch(run, chain->smooth, (size_t)input->n, 1, 1, block, chain->kernels,
                           (void *[]){&chain->front, &chain->back, &n});
        application_launch(run, chain->scale, (size_t)input->n, 1, 1, block, chain->kernels,
                           (void *[]){&chain->back, &chain->front, &f, &n});
    }
    attempt(run, cuEventRecord(chain->computed, chain->kernels));
}

/* The copies overlap nothing here, so they are timed by waiting for each part. */
int application_chain_run(const struct application_input *input, void **result,
                          size_t *result_bytes, struct application_times *times)
{
    struct application_run run;
    struct chain chain;
    size_t n = (size_t)input->n, bytes = n * sizeof(float);
    application_begin_own(&run, input, "chain");
    application_require(&run, input->n <= INT_MAX / 2, "n is too large");
    chain_create(&run, bytes, &chain);
    float *values = application_host(&run, bytes);
    application_fill(values, n, input->seed, -1, 1);

    application_lap(&run);
    attempt(&run, cuMemcpyHtoDAsync(chain.front, values, bytes, chain.copies));
    attempt(&run, cuEventRecord(chain.copied, chain.copies));
    attempt(&run, cuEventSynchronize(chain.copied));
    times->htod_s = application_lap(&run);
    chain_launch(&run, input, &chain);
    attempt(&run, cuStreamSynchronize(chain.kernels));
    times->kernel_s = application_lap(&run);
    attempt(&run, cuStreamWaitEvent(chain.copies, chain.computed, 0));
    attempt(&run, cuMemcpyDtoHAsync(values, chain.front, bytes, chain.copies));
    attempt(&run, cuStreamSynchronize(chain.copies));
    times->dtoh_s = application_lap(&run);
    times->total_s = times->htod_s + times->kernel_s + times->dtoh_s;
    chain_destroy(&chain);
    return application_end(&run, values, bytes, result, result_bytes);
}

int application_chain_reference(const struct application_input *input, void **result,
                                size_t *result_bytes)
{
    size_t n = (size_t)input->n;
    float *front = application_filled(n, input->seed, -1, 1);
    float *back = application_filled(n, 0, 0, 0);
    for (int64_t i = 0; i < input->iterations; i++) {
        for (size_t k = 1; k + 1 < n; k++)
            back[k] = (front[k - 1] + front[k] + front[k + 1]) / 3.0f;
        for (size_t k = 0; k < n; k++)
            front[k] = factor * back[k];
    }
    free(back);
    *result = front;
    *result_bytes = n * sizeof *front;
    return 0;
}
