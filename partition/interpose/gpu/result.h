/* result.h: what a program gets for a status of the library. */
#ifndef RESULT_H
#define RESULT_H

#include <cuda.h>

#include <datamotion/status.h>

static inline CUresult result_of(enum dm_status status)
{
    return status == DM_OK          ? CUDA_SUCCESS
           : status == DM_NO_MEMORY ? CUDA_ERROR_OUT_OF_MEMORY
                                    : CUDA_ERROR_INVALID_VALUE;
}

#endif
