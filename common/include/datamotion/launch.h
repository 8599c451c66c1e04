/* launch.h: how a kernel is launched in sources for both nvcc and the software GPU.
 *
 *   dm_launch(kernel, grid, block, shared_bytes, stream, arguments...);
 *   dm_launch_cooperative(kernel, grid, block, shared_bytes, stream, arguments...);
 *
 * are statements; errors are fetched with cudaGetLastError(), as after <<<>>>. The second one keeps
 * all blocks resident at once, so that they may wait for one another. dm_dynamic_shared(type, name)
 * declares the launch's dynamic shared memory as `type name[]`. Sources that are compiled by nvcc
 * alone may write <<<>>> and extern __shared__ instead. */
#ifndef DATAMOTION_LAUNCH_H
#define DATAMOTION_LAUNCH_H

#include <cuda_runtime.h>

#if defined(__CUDACC__)

#include <utility>

#define dm_launch(kernel, grid, block, shared_bytes, stream, ...)                                  \
    kernel<<<grid, block, shared_bytes, stream>>>(__VA_ARGS__)

template <class... Parameters, class... Arguments>
static inline cudaError_t dm_launch_cooperative_with(void (*kernel)(Parameters...), dim3 grid,
                                                     dim3 block, size_t shared_bytes,
                                                     cudaStream_t stream, Arguments &&...arguments)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...);
}

#define dm_launch_cooperative(kernel, grid, block, shared_bytes, stream, ...)                      \
    ((void)dm_launch_cooperative_with(kernel, grid, block, shared_bytes, stream, __VA_ARGS__))

#define dm_dynamic_shared(type, name) extern __shared__ type name[]

#elif defined(__cplusplus) && defined(SOFTGPU)
#include <softgpu/launch.h>
#endif

#endif
