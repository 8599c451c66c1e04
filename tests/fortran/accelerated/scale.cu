/* A kernel of a Fortran program: x = factor * x + addend. */
#include "common/gpu.h"

static __global__ void scale_kernel(double *x, long count, double factor, double addend)
{
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < count;
         i += (long)gridDim.x * blockDim.x)
        x[i] = factor * x[i] + addend;
}

extern "C" int scale_on_gpu(double *x, long count, double factor, double addend,
                            cudaStream_t stream)
{
    dm_launch(scale_kernel, 4, 64, 0, stream, x, count, factor, addend);
    return cudaGetLastError();
}
