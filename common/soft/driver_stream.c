/* driver_stream.c: streams and events, which are the runtime's. */
#include "soft_driver.h"

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS
               ? driver_result(cudaStreamCreateWithPriority(stream, flags, priority))
               : result;
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaStreamCreateWithFlags(stream, flags))
                                  : result;
}

CUresult cuStreamDestroy(CUstream stream)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaStreamDestroy(stream)) : result;
}

CUresult cuStreamSynchronize(CUstream stream)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaStreamSynchronize(stream)) : result;
}

CUresult cuStreamQuery(CUstream stream)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaStreamQuery(stream)) : result;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaStreamWaitEvent(stream, event, flags))
                                  : result;
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
    CUcontext current;
    stream_t *found;
    CUresult result = driver_begin(&current);

    if (result == CUDA_SUCCESS && !context)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = driver_result(stream_check(stream, NULL, &found));
    if (result == CUDA_SUCCESS)
        *context =
            found->is_default ? current : driver_owner_context(found->owner, found->device->index);
    return result;
}

CUresult cuStreamGetFlags(CUstream stream, unsigned *flags)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaStreamGetFlags(stream, flags)) : result;
}

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaStreamGetPriority(stream, priority)) : result;
}

/* ---- events ---- */

CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaEventCreateWithFlags(event, flags)) : result;
}

CUresult cuEventDestroy(CUevent event)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaEventDestroy(event)) : result;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaEventRecord(event, stream)) : result;
}

CUresult cuEventQuery(CUevent event)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaEventQuery(event)) : result;
}

CUresult cuEventSynchronize(CUevent event)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaEventSynchronize(event)) : result;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaEventElapsedTime(milliseconds, start, end))
                                  : result;
}
