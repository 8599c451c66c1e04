/* error_cuda.h: error.h for sources that call CUDA. */
#ifndef COMMON_ERROR_CUDA_H
#define COMMON_ERROR_CUDA_H

#include <cuda_runtime.h>

#include "common/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The status of a CUDA error, with the sentence "EXPRESSION: CAUSE (FILE:LINE)" if it is one. A
 * source of its own, so that libraries without CUDA do not need it. */
enum dm_status error_cuda(cudaError_t error, const char *expression, const char *file, int line);
#define status_of_cuda(expression) error_cuda((expression), #expression, __FILE__, __LINE__)
#define TRY_CUDA(expression)       TRY(status_of_cuda(expression))

#ifdef __cplusplus
}
#endif
#endif
