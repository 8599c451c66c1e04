/* error_cuda.c: apart from error.c, so that libraries without calls of CUDA do not need it. */
#include "error_cuda.h"

#include <string.h>

/* The innermost words of __FILE__ are enough to find the place. */
static const char *short_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

static enum dm_status status_of(cudaError_t error)
{
    switch (error) {
    case cudaErrorInvalidValue:
        return DM_INVALID;
    case cudaErrorMemoryAllocation:
        return DM_NO_MEMORY;
    case cudaErrorNoDevice:
    case cudaErrorNotSupported:
    case cudaErrorInsufficientDriver:
        return DM_UNAVAILABLE;
    case cudaErrorDevicesUnavailable:
        return DM_LOST;
    default:
        return DM_FAILED;
    }
}

enum dm_status error_cuda(cudaError_t error, const char *expression, const char *file, int line)
{
    if (error == cudaSuccess)
        return DM_OK;
    return dm_fail(status_of(error), "%s: %s (%s:%d)", expression, cudaGetErrorString(error),
                   short_name(file), line);
}
