/* cu_launches.c: interposed launches. */
#include "partition/interpose/launch/launch_kernel.h"

CUresult CUDAAPI cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                unsigned grid_z, unsigned block_x, unsigned block_y,
                                unsigned block_z, unsigned shared_bytes, CUstream stream,
                                void **parameters, void **extra)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                                   shared_bytes, stream, parameters, extra);
    const CUlaunchConfig configuration = {.gridDimX = grid_x,
                                          .gridDimY = grid_y,
                                          .gridDimZ = grid_z,
                                          .blockDimX = block_x,
                                          .blockDimY = block_y,
                                          .blockDimZ = block_z,
                                          .sharedMemBytes = shared_bytes,
                                          .hStream = stream};
    return virtual_gpu_leave(gpu, launch_kernel(gpu, &configuration, function, parameters, extra));
}

CUresult CUDAAPI cuLaunchKernelEx(const CUlaunchConfig *configuration, CUfunction function,
                                  void **parameters, void **extra)
{
    struct virtual_gpu *gpu = configuration ? virtual_gpu_enter() : NULL;
    real_driver_load();
    if (!gpu)
        return real.cuLaunchKernelEx(configuration, function, parameters, extra);
    return virtual_gpu_leave(gpu, launch_kernel(gpu, configuration, function, parameters, extra));
}

CUresult CUDAAPI cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                           unsigned grid_z, unsigned block_x, unsigned block_y,
                                           unsigned block_z, unsigned shared_bytes, CUstream stream,
                                           void **parameters)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuLaunchCooperativeKernel(function, grid_x, grid_y, grid_z, block_x, block_y,
                                              block_z, shared_bytes, stream, parameters);
    CUlaunchAttribute cooperative = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
                                     .value = {.cooperative = 1}};
    const CUlaunchConfig configuration = {.gridDimX = grid_x,
                                          .gridDimY = grid_y,
                                          .gridDimZ = grid_z,
                                          .blockDimX = block_x,
                                          .blockDimY = block_y,
                                          .blockDimZ = block_z,
                                          .sharedMemBytes = shared_bytes,
                                          .hStream = stream,
                                          .attrs = &cooperative,
                                          .numAttrs = 1};
    return virtual_gpu_leave(gpu, launch_kernel(gpu, &configuration, function, parameters, NULL));
}
