/* blp_smooth.cu: each row of doubles becomes the mean of itself and its neighbours, in one kernel
 * whose blocks also copy: rows arrive, are computed and leave at the same time, and the host copies
 * nothing.
 *
 * Build: nvcc -std=c++17 -c blp_smooth.cu $(pkg-config --cflags datamotion-blp) \
 *     -o blp_smooth.o && c++ blp_smooth.o $(pkg-config --libs datamotion-blp) -o blp_smooth
 * Build with the software GPU: c++ -std=c++17 $(pkg-config --cflags datamotion-blp) \
 *     -x c++ blp_smooth.cu -x none $(pkg-config --libs datamotion-blp) -o blp_smooth
 * Run: ./blp_smooth
 * Prints: 1000 rows: 1 launch, 0 copies by the host, 0 wrong elements */
#include <datamotion/blp.h>
#include <datamotion/blp_device.h>

#include <stdio.h>

enum { ROWS = 1000, COLUMNS = 500, FROM = 0, TO = 1 };

/* Called by all threads of a block, for some of the rows; the context, how many columns, is copied
 * to the kernel. */
static __device__ void smooth(const struct blp_unit *unit, const long *columns)
{
    for (long i = unit->begin; i < unit->end; i++) {
        const double *above = dm_slice<double>(unit->views[FROM], i - 1);
        const double *row = dm_slice<double>(unit->views[FROM], i);
        const double *below = dm_slice<double>(unit->views[FROM], i + 1);
        double *to = dm_slice<double>(unit->views[TO], i);
        for (long j = threadIdx.x; j < *columns; j += blockDim.x)
            to[j] = (above[j] + row[j] + below[j]) / 3;
    }
}
BLP_KERNEL(smooth_kernel, long, smooth, 1024, 1)

int main(void)
{
    const long columns = COLUMNS;
    const size_t row_bytes = COLUMNS * sizeof(double);
    double *from, *to;
    struct blp_plan *plan;
    struct blp_report report;
    if (cudaMallocHost(&from, ROWS * row_bytes) != cudaSuccess ||
        cudaMallocHost(&to, ROWS * row_bytes) != cudaSuccess)
        return 1;
    for (long i = 0; i < ROWS * COLUMNS; i++)
        from[i] = 3 * i;

    /* Iteration i, of rows 1 to ROWS - 2, needs the rows i - 1 to i + 1 and makes row i. */
    struct dm_region region = dm_region_make("smooth", 1, ROWS - 1, NULL, &columns);
    dm_region_add(&region,
                  {"from", from, DM_REGION_TO, DM_REGION_ROWS, ROWS, row_bytes, 1, 0, -1, 3});
    dm_region_add(&region, {"to", to, DM_REGION_FROM, DM_REGION_ROWS, ROWS, row_bytes, 1, 0, 0, 1});

    if (blp_open(&plan, &region, &smooth_kernel, NULL) != DM_OK ||
        blp_run(plan, &report) != DM_OK) {
        fprintf(stderr, "%s\n", dm_message());
        return 1;
    }
    int wrong = 0;
    for (long i = COLUMNS; i < (ROWS - 1) * COLUMNS; i++)
        wrong += to[i] != from[i];
    printf("%d rows: %d launch, %d copies by the host, %d wrong elements\n", ROWS, report.launches,
           report.copies, wrong);
    blp_close(plan);
    cudaFreeHost(from);
    cudaFreeHost(to);
    return wrong > 0;
}
