/* pipeline_directive.cu: a loop over the rows of a matrix of floats, described by a directive: each
 * row of b is the mean of three rows of a.
 *
 * Build: nvcc -std=c++17 pipeline_directive.cu $(pkg-config --cflags --libs datamotion-pipeline \
 *     | sed 's/-Wl,/-Xlinker /g') -o pipeline_directive
 * Build with the software GPU: g++ -std=c++17 -x c++ pipeline_directive.cu \
 *     $(pkg-config --cflags --libs datamotion-pipeline) -o pipeline_directive
 * Run: ./pipeline_directive
 * Prints: 510 rows, 0 wrong, 16 in a chunk, 3 chunks in flight */
#include <cmath>
#include <cstdio>

#include <datamotion/launch.h>
#include <datamotion/pipeline.h>

static const char *text = "#pragma omp target teams distribute "
                          "map(pipeline(i, 16, 3), to: a[i-1:3][0:m]) "
                          "map(pipeline(i, 16, 3), from: b[i:1][0:m]) iterator(i = 1:n-1)";

enum { N = 512, M = 1024, THREADS = 128 };

static __global__ void mean(struct dm_slices a, struct dm_slices b, long i)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    dm_slice<float>(b, i)[j] =
        (dm_slice<float>(a, i - 1)[j] + dm_slice<float>(a, i)[j] + dm_slice<float>(a, i + 1)[j]) /
        3;
}

static cudaError_t launch(const struct dm_region *, const struct dm_slices *arrays, long begin,
                          long end, cudaStream_t stream)
{
    for (long i = begin; i < end; i++)
        dm_launch(mean, M / THREADS, THREADS, 0, stream, arrays[0], arrays[1], i);
    return cudaGetLastError();
}

int main()
{
    float *a, *b;
    long wrong = 0;
    if (cudaMallocHost((void **)&a, N * M * sizeof *a) != cudaSuccess ||
        cudaMallocHost((void **)&b, N * M * sizeof *b) != cudaSuccess)
        return 1;
    for (long i = 0; i < N * M; i++)
        a[i] = (float)(i / M); /* the number of the row, which is the mean as well */

    struct pipeline_constant constants[] = {{"n", N}, {"m", M}};
    struct pipeline_array arrays[] = {{"a", a, sizeof *a, 2, {N, M}},
                                      {"b", b, sizeof *b, 2, {N, M}}};
    struct pipeline_names names = {constants, 2, arrays, 2};
    struct pipeline_directive *directive;
    struct pipeline_loop loop;
    struct pipeline_plan *plan;
    if (pipeline_directive_parse(&directive, text) != DM_OK ||
        pipeline_directive_bind(directive, &names, launch, NULL, &loop) != DM_OK) {
        fprintf(stderr, "%s\n", dm_message());
        return 1;
    }
    struct pipeline_options options = {loop.chunk_size, loop.streams, 0, false};
    if (pipeline_open(&plan, &loop.region, &options) != DM_OK ||
        pipeline_run(plan, NULL) != DM_OK) {
        fprintf(stderr, "%s\n", dm_message());
        return 1;
    }
    pipeline_close(plan);
    pipeline_directive_free(directive);

    for (long i = M; i < (N - 1) * M; i++)
        wrong += fabsf(b[i] - a[i]) > 1e-3f;
    printf("%d rows, %ld wrong, %ld in a chunk, %d chunks in flight\n", N - 2, wrong,
           loop.chunk_size, loop.streams);
    return wrong != 0;
}
