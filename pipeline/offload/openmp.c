/* openmp.c: the loops of loops.h by OpenMP: updates and kernels are tasks that depend on one
 * another (`nowait`), and as many threads as there are queues execute them. A chunk copies its rows
 * with their neighbours, so that it waits for no other one. */
#include <omp.h>

#include "loops.h"

const char *offload_missing(void)
{
    return omp_get_num_devices() > 0
               ? NULL
               : "OpenMP's run-time library finds no GPU: libgomp-plugin-nvptx.so.1 and "
                 "libcuda.so.1 have to be where libraries are found";
}

void offload_open(const struct offload_loop *loop)
{
    for (int a = 0; a < 3; a++) {
        float *values = loop->arrays[a];
        const size_t count = offload_elements(loop, a);
        if (count > 0) {
#pragma omp target enter data map(alloc : values [0:count])
        }
    }
}

void offload_close(const struct offload_loop *loop)
{
    for (int a = 0; a < 3; a++) {
        float *values = loop->arrays[a];
        const size_t count = offload_elements(loop, a);
        if (count > 0) {
#pragma omp target exit data map(delete : values [0:count])
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

    for (long first = 1; first < n - 1; first += loop->chunk) {
        const long end = end_of(first, loop->chunk, n - 1), rows = end - first;
#pragma omp target update to(in [(first - 1) * n:(rows + 2) * n]) depend(out                       \
                                                                         : out[first * n]) nowait
#pragma omp target teams distribute parallel for collapse(2) depend(inout : out[first * n]) nowait
        for (long i = first; i < end; i++)
            for (long j = 0; j < n; j++)
                out[i * n + j] = j == 0 || j == n - 1 ? 0.0f : OFFLOAD_CONV2D_AT(in, n, i, j);
#pragma omp target update from(out [first * n:rows * n]) depend(in : out[first * n]) nowait
        offload_count(loop, (size_t)((rows + 2) * n), 0);
        offload_count(loop, 0, (size_t)(rows * n));
    }
#pragma omp taskwait
}

static void run_conv3d(struct offload_loop *loop)
{
    const long n = loop->size, plane = n * n;
    const float *in = loop->arrays[0];
    float *out = loop->arrays[1];

    for (long first = 1; first < n - 1; first += loop->chunk) {
        const long end = end_of(first, loop->chunk, n - 1), planes = end - first;
#pragma omp target update to(in [(first - 1) * plane:(planes + 2) * plane])                        \
    depend(out                                                                                     \
           : out[first * plane]) nowait
#pragma omp target teams distribute parallel for collapse(3) depend(inout                          \
                                                                    : out[first * plane]) nowait
        for (long i = first; i < end; i++)
            for (long j = 0; j < n; j++)
                for (long k = 0; k < n; k++)
                    OFFLOAD_CUBE(out, n, i, j, k) = j == 0 || k == 0 || j == n - 1 || k == n - 1
                                                        ? OFFLOAD_CUBE(in, n, i, j, k)
                                                        : OFFLOAD_CONV3D_AT(in, n, i, j, k);
#pragma omp target update from(out [first * plane:planes * plane]) depend(in                       \
                                                                          : out[first * plane])    \
    nowait
        offload_count(loop, (size_t)((planes + 2) * plane), 0);
        offload_count(loop, 0, (size_t)(planes * plane));
    }
#pragma omp taskwait
}

/* y of all chunks is one array: a chunk's kernel waits for that of the chunk before. */
static void run_atax(struct offload_loop *loop)
{
    const long n = loop->size;
    const float *a = loop->arrays[0], *x = loop->arrays[1];
    float *y = loop->arrays[2];
    const int device = omp_get_default_device();
    float *products = omp_target_alloc((size_t)n * sizeof *products, device);

#pragma omp target update to(x [0:n])
    offload_count(loop, (size_t)n, 0);
    for (long first = 0; first < n; first += loop->chunk) {
        const long end = end_of(first, loop->chunk, n), rows = end - first;
#pragma omp target update to(a [first * n:rows * n]) depend(out : a[first * n]) nowait
#pragma omp target teams distribute is_device_ptr(products) depend(inout : a[first * n]) nowait
        for (long i = first; i < end; i++) {
            float sum = 0.0f;
#pragma omp parallel for reduction(+ : sum)
            for (long j = 0; j < n; j++)
                sum += a[i * n + j] * x[j];
            products[i] = sum;
        }
#pragma omp target teams distribute parallel for is_device_ptr(products) depend(in                 \
                                                                                : a[first * n])    \
    depend(inout                                                                                   \
           : y[0]) nowait
        for (long j = 0; j < n; j++) {
            float sum = first == 0 ? 0.0f : y[j];
            for (long i = first; i < end; i++)
                sum += products[i] * a[i * n + j];
            y[j] = sum;
        }
        offload_count(loop, (size_t)(rows * n), 0);
    }
#pragma omp taskwait
#pragma omp target update from(y [0:n])
    offload_count(loop, 0, (size_t)n);
    omp_target_free(products, device);
}

void offload_run(struct offload_loop *loop)
{
    static void (*const runs[OFFLOAD_BENCHMARKS])(struct offload_loop *) = {run_conv2d, run_conv3d,
                                                                            run_atax};

    loop->updates = 0;
    loop->bytes_in = loop->bytes_out = 0;
#pragma omp parallel num_threads(loop->queues)
#pragma omp single
    runs[loop->benchmark](loop);
}
