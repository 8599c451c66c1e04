#include "gather_kernels.h"

#include "common/gpu.h"
#include "common/harness/exit.h"

#include "spmv/formats/device.h"

static __global__ void copy_kernel(int64_t count, const double *from, double *to)
{
    int64_t i = sparse_thread();
    if (i < count)
        to[i] = from[i];
}

void spmv_copy_launch(int64_t count, const double *from, double *to, cudaStream_t stream)
{
    dm_launch(copy_kernel, sparse_blocks(count), SPARSE_THREADS, 0, stream, count, from, to);
    check_cuda(cudaGetLastError());
}
