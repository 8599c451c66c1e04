/* unified_scale.cu: rows of a matrix are doubled in managed memory, on demand and prefetched.
 *
 * Build: nvcc -std=c++17 -c unified_scale.cu -o scale.o \
 *     $(pkg-config --cflags datamotion-unified_memory) && \
 *     c++ scale.o $(pkg-config --libs datamotion-unified_memory) -o scale
 * Build with the software GPU: c++ -std=c++17 -x c++ unified_scale.cu -x none \
 *     $(pkg-config --cflags --libs datamotion-unified_memory) -o scale
 * Run: ./scale
 * Prints: on demand: 0 prefetches, *; prefetched: 16 prefetches, *; 0 errors */
#include <cstdio>

#include <datamotion/launch.h>
#include <datamotion/unified_memory.h>

enum { ROWS = 512, COLUMNS = 4096 };

static __global__ void scale(dm_slices in, dm_slices out, long first)
{
    long row = first + blockIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    dm_slice<float>(out, row)[column] = 2 * dm_slice<float>(in, row)[column];
}

static cudaError_t launch(const dm_region *, const dm_slices *views, long begin, long end,
                          cudaStream_t stream)
{
    dim3 grid(COLUMNS / 256, (unsigned)(end - begin));
    dm_launch(scale, grid, dim3(256), 0, stream, views[0], views[1], begin);
    return cudaGetLastError();
}

static void add_rows(dm_region *region, const char *name, float *host,
                     dm_region_direction direction)
{
    dm_region_add(region, {name, host, direction, DM_REGION_ROWS, ROWS, COLUMNS * sizeof(float),
                           1 /* row */, 0 /* pitch */, 0 /* offset */, 1 /* row per iteration */});
}

static dm_status execute(const char *name, const dm_region *region, unified_hints hints)
{
    unified_config config = {hints, ROWS / 8, 3, false}; /* 8 chunks on 3 streams */
    unified_plan *plan;
    unified_report report;
    unified_traffic moved;
    dm_status status = unified_open(&plan, region, &config);
    if (status == DM_OK)
        status = unified_run(plan, &report, UNIFIED_COUNT_BYTES, &moved);
    if (status == DM_OK)
        printf("%s: %ld prefetches, %lld KiB moved to the device; ", name, report.prefetches,
               moved.known ? (long long)(moved.bytes_to_device >> 10) : -1);
    unified_close(plan);
    return status == DM_OK ? unified_to_host(region) : status;
}

int main()
{
    float *in, *out;
    dm_region region = dm_region_make("scale", 0, ROWS, launch, nullptr);
    int errors = 0;

    if (cudaMallocManaged(&in, ROWS * COLUMNS * sizeof *in) != cudaSuccess ||
        cudaMallocManaged(&out, ROWS * COLUMNS * sizeof *out) != cudaSuccess)
        return 1;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        in[i] = (float)i;
    add_rows(&region, "in", in, DM_REGION_TO);
    add_rows(&region, "out", out, DM_REGION_FROM);
    if (execute("on demand", &region, UNIFIED_ON_DEMAND) != DM_OK ||
        execute("prefetched", &region, UNIFIED_BOTH) != DM_OK) {
        fprintf(stderr, "%s\n", dm_message());
        return 1;
    }
    for (int i = 0; i < ROWS * COLUMNS; i++)
        errors += out[i] != 2 * in[i];
    printf("%d errors\n", errors);
    return errors != 0;
}
