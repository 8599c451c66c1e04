#include "to_hll.h"

#include "common/error_cuda.h"
#include "common/gpu.h"

#include "spmv/formats/device.h"

static __global__ void hacks_kernel(const int32_t *longest, int64_t hacks, int64_t hack_rows,
                                    int64_t *stored, int64_t *segments)
{
    int64_t hack = sparse_thread();
    if (hack > hacks)
        return;
    int64_t width = hack < hacks ? longest[hack] : 0;
    stored[hack] = width * hack_rows;
    segments[hack] = width > 0 ? (width - 1) / SPARSE_HLL_SEGMENT : 0;
}

enum dm_status sparse_convert_hacks(const int32_t *longest, int64_t hacks, int64_t hack_rows,
                                    int64_t *stored, int64_t *segments, cudaStream_t stream)
{
    dm_launch(hacks_kernel, sparse_blocks(hacks + 1), SPARSE_THREADS, 0, stream, longest, hacks,
              hack_rows, stored, segments);
    return status_of_cuda(cudaGetLastError());
}

static __global__ void segments_kernel(const int64_t *place, int64_t hacks,
                                       struct sparse_hll_segment *segments)
{
    int64_t hack = sparse_thread();
    if (hack >= hacks)
        return;
    int32_t column = SPARSE_HLL_SEGMENT;
    for (int64_t i = place[hack]; i < place[hack + 1]; i++, column += SPARSE_HLL_SEGMENT) {
        segments[i].hack = (int32_t)hack;
        segments[i].column = column;
    }
}

enum dm_status sparse_convert_segments(const int64_t *place, int64_t hacks,
                                       struct sparse_hll_segment *segments, cudaStream_t stream)
{
    dm_launch(segments_kernel, sparse_blocks(hacks), SPARSE_THREADS, 0, stream, place, hacks,
              segments);
    return status_of_cuda(cudaGetLastError());
}
