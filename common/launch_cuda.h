/* launch_cuda.h: the launch macros for nvcc. The software GPU has its own in soft/launch.h.
 *
 * launch(kernel, grid, block, shared_bytes, stream, args...) and launch_cooperative(...) are
 * statements; errors are fetched with cudaGetLastError(), as after <<<>>>. dynamic_shared(type,
 * name) declares the launch's dynamic shared memory as `type name[]`. */
#ifndef COMMON_LAUNCH_CUDA_H
#define COMMON_LAUNCH_CUDA_H

#include <utility>

#define launch(kernel, grid, block, shared_bytes, stream, ...)                                     \
    kernel<<<grid, block, shared_bytes, stream>>>(__VA_ARGS__)

/* All blocks are resident at once, so that they may wait for one another. */
template <class... Parameters, class... Arguments>
static inline cudaError_t launch_cooperative_with(void (*kernel)(Parameters...), dim3 grid,
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

#define launch_cooperative(kernel, grid, block, shared_bytes, stream, ...)                         \
    ((void)launch_cooperative_with(kernel, grid, block, shared_bytes, stream, __VA_ARGS__))

#define dynamic_shared(type, name) extern __shared__ type name[]

#endif
