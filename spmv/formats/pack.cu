#include "pack.h"

#include "common/error_cuda.h"
#include "common/gpu.h"

#include "device.h"

template <class Real>
static __global__ void pack(int64_t count, const int32_t *index, const Real *x, Real *buffer)
{
    int64_t i = sparse_thread();
    if (i < count)
        buffer[i] = x[index[i]];
}

template <class Real>
static __global__ void unpack(int64_t count, const int32_t *index, const Real *buffer, Real *x)
{
    int64_t i = sparse_thread();
    if (i < count)
        x[index[i]] = buffer[i];
}

extern "C" enum dm_status spmv_pack_launch(enum spmv_precision precision, int64_t count,
                                           const int32_t *index, const void *x, void *buffer,
                                           cudaStream_t stream)
{
    if (count == 0)
        return DM_OK;
    if (precision == SPMV_DOUBLE)
        dm_launch(pack<double>, sparse_blocks(count), dim3(SPARSE_THREADS), 0, stream, count, index,
                  (const double *)x, (double *)buffer);
    else
        dm_launch(pack<float>, sparse_blocks(count), dim3(SPARSE_THREADS), 0, stream, count, index,
                  (const float *)x, (float *)buffer);
    return status_of_cuda(cudaGetLastError());
}

extern "C" enum dm_status spmv_unpack_launch(enum spmv_precision precision, int64_t count,
                                             const int32_t *index, const void *buffer, void *x,
                                             cudaStream_t stream)
{
    if (count == 0)
        return DM_OK;
    if (precision == SPMV_DOUBLE)
        dm_launch(unpack<double>, sparse_blocks(count), dim3(SPARSE_THREADS), 0, stream, count,
                  index, (const double *)buffer, (double *)x);
    else
        dm_launch(unpack<float>, sparse_blocks(count), dim3(SPARSE_THREADS), 0, stream, count,
                  index, (const float *)buffer, (float *)x);
    return status_of_cuda(cudaGetLastError());
}
