/* kernels.h: persistent kernels of the shared workloads (common/workloads/), made as any caller of
 * the library makes his. */
#ifndef BLP_KERNELS_H
#define BLP_KERNELS_H

/* Of cooperative groups the kernels need the grid's barrier alone, and nothing of the library of
 * templates that CUDA would include for the rest: without it they compile in half the time. */
#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <datamotion/blp.h>
#include <datamotion/blp_device.h>

#ifdef __cplusplus
extern "C" {
#endif

extern const struct blp_kernel conv2d_kernel, conv3d_kernel, gemm_kernel, fdtd2d_kernel,
    atax_kernel, stencil_kernel, qcd_kernel;

/* The kernel for the benchmark of that name, or NULL. */
const struct blp_kernel *kernel_of(const char *benchmark);

#ifdef __cplusplus
}
#endif
#endif
