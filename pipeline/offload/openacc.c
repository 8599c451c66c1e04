/* openacc.c: the loops of loops.h by OpenACC. Chunks are on asynchronous queues in turn; a chunk
 * copies its rows with their neighbours, so that it waits for no other queue. */
#include <openacc.h>

#include "loops.h"

const char *offload_missing(void)
{
    return acc_get_num_devices(acc_device_nvidia) > 0
               ? NULL
               : "OpenACC's run-time library finds no NVIDIA GPU: libgomp-plugin-nvptx.so.1 and "
                 "libcuda.so.1 have to be where libraries are found";
}

void offload_open(const struct offload_loop *loop)
{
    for (int a = 0; a < 3; a++) {
        float *values = loop->arrays[a];
        const size_t count = offload_elements(loop, a);
        if (count > 0) {
#pragma acc enter data create(values [0:count])
        }
    }
}

void offload_close(const struct offload_loop *loop)
{
    for (int a = 0; a < 3; a++) {
        float *values = loop->arrays[a];
        const size_t count = offload_elements(loop, a);
        if (count > 0) {
#pragma acc exit data delete (values [0:count])
        }
    }
}

static long end_of(long first, long chunk, long end)
{
    return end - first < chunk ? end : first + chunk;
}

static void run_conv2d(struct offload_loop *loop)
{
    const long n = loop->size;
    const float *in = loop->arrays[0];
    float *out = loop->arrays[1];
    int queue = 0;

    for (long first = 1; first < n - 1; first += loop->chunk, queue = (queue + 1) % loop->queues) {
        const long end = end_of(first, loop->chunk, n - 1), rows = end - first;
#pragma acc update device(in [(first - 1) * n:(rows + 2) * n]) async(queue)
#pragma acc parallel loop collapse(2) present(in [0:n * n], out [0:n * n]) async(queue)
        for (long i = first; i < end; i++)
            for (long j = 0; j < n; j++)
                out[i * n + j] = j == 0 || j == n - 1 ? 0.0f : OFFLOAD_CONV2D_AT(in, n, i, j);
#pragma acc update self(out [first * n:rows * n]) async(queue)
        offload_count(loop, (size_t)((rows + 2) * n), 0);
        offload_count(loop, 0, (size_t)(rows * n));
    }
#pragma acc wait
}

static void run_conv3d(struct offload_loop *loop)
{
    const long n = loop->size, plane = n * n;
    const float *in = loop->arrays[0];
    float *out = loop->arrays[1];
    int queue = 0;

    for (long first = 1; first < n - 1; first += loop->chunk, queue = (queue + 1) % loop->queues) {
        const long end = end_of(first, loop->chunk, n - 1), planes = end - first;
#pragma acc update device(in [(first - 1) * plane:(planes + 2) * plane]) async(queue)
#pragma acc parallel loop collapse(3) present(in [0:n * plane], out [0:n * plane]) async(queue)
        for (long i = first; i < end; i++)
            for (long j = 0; j < n; j++)
                for (long k = 0; k < n; k++)
                    OFFLOAD_CUBE(out, n, i, j, k) = j == 0 || k == 0 || j == n - 1 || k == n - 1
                                                        ? OFFLOAD_CUBE(in, n, i, j, k)
                                                        : OFFLOAD_CONV3D_AT(in, n, i, j, k);
#pragma acc update self(out [first * plane:planes * plane]) async(queue)
        offload_count(loop, (size_t)((planes + 2) * plane), 0);
        offload_count(loop, 0, (size_t)(planes * plane));
    }
#pragma acc wait
}

/* y of all chunks is one array: the second kernel of a chunk waits for that of the chunk before. */
static void run_atax(struct offload_loop *loop)
{
    const long n = loop->size;
    const float *a = loop->arrays[0], *x = loop->arrays[1];
    float *y = loop->arrays[2];
    float *products = acc_malloc((size_t)n * sizeof *products);
    int queue = 0, before = 0;

#pragma acc update device(x [0:n])
    offload_count(loop, (size_t)n, 0);
    for (long first = 0; first < n; first += loop->chunk) {
        const long end = end_of(first, loop->chunk, n), rows = end - first;
#pragma acc update device(a [first * n:rows * n]) async(queue)
#pragma acc parallel loop gang present(a [0:n * n], x [0:n]) deviceptr(products) async(queue)
        for (long i = first; i < end; i++) {
            float sum = 0.0f;
#pragma acc loop worker vector reduction(+ : sum)
            for (long j = 0; j < n; j++)
                sum += a[i * n + j] * x[j];
            products[i] = sum;
        }
#pragma acc wait(before) async(queue)
#pragma acc parallel loop present(a [0:n * n], y [0:n]) deviceptr(products) async(queue)
        for (long j = 0; j < n; j++) {
            float sum = first == 0 ? 0.0f : y[j];
            for (long i = first; i < end; i++)
                sum += products[i] * a[i * n + j];
            y[j] = sum;
        }
        offload_count(loop, (size_t)(rows * n), 0);
        before = queue;
        queue = (queue + 1) % loop->queues;
    }
#pragma acc wait
#pragma acc update self(y [0:n])
    acc_free(products);
    offload_count(loop, 0, (size_t)n);
}

void offload_run(struct offload_loop *loop)
{
    static void (*const runs[OFFLOAD_BENCHMARKS])(struct offload_loop *) = {run_conv2d, run_conv3d,
                                                                            run_atax};

    loop->updates = 0;
    loop->bytes_in = loop->bytes_out = 0;
    runs[loop->benchmark](loop);
}
