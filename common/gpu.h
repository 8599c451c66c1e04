/* gpu.h: one include for the GPU, whether CUDA's or the software GPU.
 *
 * Both are used through the CUDA runtime API by its own names. This file adds the launch macros,
 * and with migration.h it is the only place that knows the differences between CUDA 12 and 13. */
#ifndef COMMON_GPU_H
#define COMMON_GPU_H

#include <cuda_runtime.h>

#include "common/migration.h"

#if defined(SOFTGPU)
#define GPU_KIND "soft"
#else
#define GPU_KIND "cuda"
#endif

#ifdef __cplusplus
#include <datamotion/launch.h>
#endif

#endif
