/* module.h: what the software GPU's driver can do with a module beyond CUDA's. */
#ifndef SOFTGPU_MODULE_H
#define SOFTGPU_MODULE_H

#include <cuda.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Gives every kernel of the module one more parameter at the end: 36 bytes, unsigned offset[3] and
 * unsigned grid[3] (in blocks), and unsigned first_thread[3] (offset * blockDim). Kernels then see
 * blockIdx + offset and gridDim = grid, so a launch on a part of a grid does what the blocks of
 * that part do in a launch of the whole. To be called before the module's first launch; a second
 * call changes nothing. A cooperative launch of a promoted kernel is CUDA_ERROR_NOT_SUPPORTED: its
 * barrier would not reach the other parts. A launch whose first_thread does not agree with its
 * offset is CUDA_ERROR_INVALID_VALUE. CUDA_ERROR_INVALID_HANDLE: no such module. */
CUresult softModulePromote(CUmodule module);

#ifdef __cplusplus
}
#endif
#endif
