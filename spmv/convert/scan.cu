/* Prefix sums on the device: each thread adds up a run of values, the sums of runs are summed up in
 * the same way, and each thread goes over its run once more. There is no barrier in it, so that the
 * software GPU computes it at full speed; a GPU reads every value twice and writes it once. */

#include "convert.h"
#include "spmv/formats/device.h"
#include "common/error_cuda.h"

enum { RUN = 32 };

static int64_t runs_of(int64_t count)
{
    return (count + RUN - 1) / RUN;
}

static __global__ void add_runs_kernel(const int64_t *values, int64_t count, int64_t *sums)
{
    int64_t run = sparse_thread(), first = run * RUN;
    if (first >= count)
        return;
    int64_t sum = 0;
    for (int64_t i = first; i < first + RUN && i < count; i++)
        sum += values[i];
    sums[run] = sum;
}

/* before: what is to be added to each run; NULL: nothing. */
static __global__ void scan_runs_kernel(int64_t *values, int64_t count, const int64_t *before)
{
    int64_t run = sparse_thread(), first = run * RUN;
    if (first >= count)
        return;
    int64_t sum = before ? before[run] : 0;
    for (int64_t i = first; i < first + RUN && i < count; i++) {
        int64_t value = values[i];
        values[i] = sum;
        sum += value;
    }
}

int64_t sparse_convert_scan_scratch(int64_t count)
{
    int64_t scratch = 0;
    for (int64_t runs = runs_of(count); runs > 1; runs = runs_of(runs))
        scratch += runs;
    return scratch;
}

enum dm_status sparse_convert_scan(int64_t *values, int64_t count, int64_t *scratch,
                                   cudaStream_t stream)
{
    int64_t runs = runs_of(count);
    if (runs > 1) {
        dm_launch(add_runs_kernel, sparse_blocks(runs), SPARSE_THREADS, 0, stream, values, count,
                  scratch);
        TRY_CUDA(cudaGetLastError());
        TRY(sparse_convert_scan(scratch, runs, scratch + runs, stream));
    }
    dm_launch(scan_runs_kernel, sparse_blocks(runs), SPARSE_THREADS, 0, stream, values, count,
              runs > 1 ? scratch : NULL);
    return status_of_cuda(cudaGetLastError());
}
