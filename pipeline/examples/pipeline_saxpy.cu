/* pipeline_saxpy.cu: y = a x + y for vectors of doubles that stay in host memory: while one chunk
 * is computed, the next one is copied to the GPU and the results of the one before come back.
 *
 * Build: nvcc -std=c++17 pipeline_saxpy.cu $(pkg-config --cflags --libs datamotion-pipeline \
 *     | sed 's/-Wl,/-Xlinker /g') -o pipeline_saxpy
 * Build with the software GPU: g++ -std=c++17 -x c++ pipeline_saxpy.cu \
 *     $(pkg-config --cflags --libs datamotion-pipeline) -o pipeline_saxpy
 * Run: ./pipeline_saxpy
 * Prints: 1048576 results, 0 wrong, in * chunks */
#include <cstdio>

#include <datamotion/launch.h>
#include <datamotion/pipeline.h>

/* One iteration of the loop is a slice of so many elements. */
enum { SLICE = 4096, SLICES = 256, THREADS = 256 };

static __global__ void saxpy(double a, struct dm_slices x, struct dm_slices y, long slice)
{
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    dm_slice<double>(y, slice)[i] += a * dm_slice<double>(x, slice)[i];
}

/* Enqueues the kernels of some iterations; the arrays are in the order in which they were added. */
static cudaError_t launch(const struct dm_region *region, const struct dm_slices *arrays,
                          long begin, long end, cudaStream_t stream)
{
    for (long slice = begin; slice < end; slice++)
        dm_launch(saxpy, SLICE / THREADS, THREADS, 0, stream, *(const double *)region->context,
                  arrays[0], arrays[1], slice);
    return cudaGetLastError();
}

static struct dm_region_array vector(const char *name, double *host, dm_region_direction direction)
{
    struct dm_region_array array = {};
    array.name = name, array.host = host, array.direction = direction;
    array.split = DM_REGION_ROWS, array.slices = SLICES, array.rows = 1;
    array.slice_bytes = SLICE * sizeof(double), array.length = 1;
    return array;
}

int main()
{
    const long count = (long)SLICE * SLICES;
    const double a = 3.0;
    double *x, *y;
    long wrong = 0;
    if (cudaMallocHost((void **)&x, count * sizeof *x) != cudaSuccess ||
        cudaMallocHost((void **)&y, count * sizeof *y) != cudaSuccess)
        return 1;
    for (long i = 0; i < count; i++)
        x[i] = i, y[i] = 0.5;

    struct dm_region region = dm_region_make("saxpy", 0, SLICES, launch, &a);
    dm_region_add(&region, vector("x", x, DM_REGION_TO));
    dm_region_add(&region, vector("y", y, DM_REGION_TOFROM));
    struct pipeline_options options = {}; /* chunk size and streams are chosen by measurements */
    struct pipeline_report report;
    struct pipeline_plan *plan;
    if (pipeline_open(&plan, &region, &options) != DM_OK || pipeline_run(plan, &report) != DM_OK) {
        fprintf(stderr, "%s\n", dm_message());
        return 1;
    }
    pipeline_close(plan);

    for (long i = 0; i < count; i++)
        wrong += y[i] != a * i + 0.5;
    printf("%ld results, %ld wrong, in %ld chunks\n", count, wrong, report.chunks);
    return wrong != 0;
}
