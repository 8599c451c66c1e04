#include "qcd.h"

#include "common/gpu.h"

#include "qcd_device.h"
#include "thread_block.h"

static __global__ void __launch_bounds__(THREAD_BLOCK_LIMIT)
    hop_kernel(struct dm_slices psi, struct dm_slices links, struct dm_slices hop,
               struct qcd_shape shape, long begin)
{
    const struct dm_slices views[QCD_ARRAYS] = {psi, links, hop};
    long site = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (site < shape.n * shape.n * shape.n)
        qcd_hop_site(views, shape, begin + blockIdx.y, (int)site);
}

static __global__ void combine_kernel(struct dm_slices psi, struct dm_slices hop,
                                      struct dm_slices result, struct qcd_shape shape, long begin)
{
    struct dm_slices views[QCD_ARRAYS] = {};
    views[QCD_PSI] = psi, views[QCD_HOP] = hop, views[QCD_RESULT] = result;
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < qcd_quadruples(shape))
        qcd_combine_quadruple(views, shape, begin + blockIdx.y, i);
}

cudaError_t qcd_launch(const struct dm_region *region, const struct dm_slices *views, long begin,
                       long end, cudaStream_t stream)
{
    if (begin >= end || begin < region->begin || end > region->end)
        return begin == end ? cudaSuccess : cudaErrorInvalidValue;
    struct qcd_shape shape = *(const struct qcd_shape *)region->context;
    long sites = shape.n * shape.n * shape.n;
    dim3 block;
    cudaError_t error = thread_block_choose(region, {128, 1, 1}, {64, 1, 1}, &block);
    if (error)
        return error;
    unsigned threads = block.x * block.y, slices = (unsigned)(end - begin);
    dim3 hop_grid(thread_block_count(sites, threads), slices, 1);
    dm_launch(hop_kernel, hop_grid, threads, 0, stream, views[QCD_PSI], views[QCD_LINK],
              views[QCD_HOP], shape, begin);
    error = cudaGetLastError();
    if (error)
        return error;
    dim3 combine_grid(thread_block_count(2 * QCD_SPINOR / 4 * sites, threads), slices, 1);
    dm_launch(combine_kernel, combine_grid, threads, 0, stream, views[QCD_PSI], views[QCD_HOP],
              views[QCD_RESULT], shape, begin);
    return cudaGetLastError();
}
