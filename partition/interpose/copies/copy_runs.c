/* copy_runs.c: runs of equal length at equal distance, copied by as few calls as possible. */
#include "copy_runs.h"

/* CU_DEVICE_ATTRIBUTE_MAX_PITCH of all GPUs up to now. */
static const int64_t longest_pitch = 2147483647;

static bool is_one_rectangle(const struct partition_runs *runs)
{
    return runs->count > 1 && runs->stride >= runs->length && runs->stride <= longest_pitch;
}

static CUDA_MEMCPY2D rectangle(const struct partition_runs *runs)
{
    return (CUDA_MEMCPY2D){.srcPitch = (size_t)runs->stride,
                           .dstPitch = (size_t)runs->stride,
                           .WidthInBytes = (size_t)runs->length,
                           .Height = (size_t)runs->count};
}

CUresult copy_runs_to_device(CUdeviceptr to, const char *from, const struct partition_runs *runs,
                             CUstream stream)
{
    if (is_one_rectangle(runs)) {
        CUDA_MEMCPY2D copy = rectangle(runs);
        copy.srcMemoryType = CU_MEMORYTYPE_HOST;
        copy.srcHost = from + runs->begin;
        copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.dstDevice = to + (CUdeviceptr)runs->begin;
        return real.cuMemcpy2DAsync_v2(&copy, stream);
    }
    CUresult result = CUDA_SUCCESS;
    for (int64_t i = 0; i < runs->count && result == CUDA_SUCCESS; i++) {
        int64_t begin = runs->begin + i * runs->stride;
        result = real.cuMemcpyHtoDAsync_v2(to + (CUdeviceptr)begin, from + begin,
                                           (size_t)runs->length, stream);
    }
    return result;
}

CUresult copy_runs_to_host(char *to, CUdeviceptr from, const struct partition_runs *runs,
                           CUstream stream)
{
    if (is_one_rectangle(runs)) {
        CUDA_MEMCPY2D copy = rectangle(runs);
        copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.srcDevice = from + (CUdeviceptr)runs->begin;
        copy.dstMemoryType = CU_MEMORYTYPE_HOST;
        copy.dstHost = to + runs->begin;
        return real.cuMemcpy2DAsync_v2(&copy, stream);
    }
    CUresult result = CUDA_SUCCESS;
    for (int64_t i = 0; i < runs->count && result == CUDA_SUCCESS; i++) {
        int64_t begin = runs->begin + i * runs->stride;
        result = real.cuMemcpyDtoHAsync_v2(to + begin, from + (CUdeviceptr)begin,
                                           (size_t)runs->length, stream);
    }
    return result;
}

/* Where the devices reach one another, addresses are unified and an ordinary copy does. */
static CUresult copy_rectangle(const struct virtual_gpu *gpu, int to, CUdeviceptr to_address,
                               int from, CUdeviceptr from_address,
                               const struct partition_runs *runs)
{
    CUstream stream = gpu->device[to].stream;
    if (gpu->peer[to][from]) {
        CUDA_MEMCPY2D copy = rectangle(runs);
        copy.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
        copy.srcDevice = from_address;
        copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
        copy.dstDevice = to_address;
        return real.cuMemcpy2DAsync_v2(&copy, stream);
    }
    CUDA_MEMCPY3D_PEER copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                               .srcDevice = from_address,
                               .srcContext = gpu->device[from].context,
                               .srcPitch = (size_t)runs->stride,
                               .srcHeight = (size_t)runs->count,
                               .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                               .dstDevice = to_address,
                               .dstContext = gpu->device[to].context,
                               .dstPitch = (size_t)runs->stride,
                               .dstHeight = (size_t)runs->count,
                               .WidthInBytes = (size_t)runs->length,
                               .Height = (size_t)runs->count,
                               .Depth = 1};
    return real.cuMemcpy3DPeerAsync(&copy, stream);
}

CUresult copy_runs_to_peer(const struct virtual_gpu *gpu, int to, CUdeviceptr to_address, int from,
                           CUdeviceptr from_address, const struct partition_runs *runs)
{
    if (is_one_rectangle(runs))
        return copy_rectangle(gpu, to, to_address + (CUdeviceptr)runs->begin, from,
                              from_address + (CUdeviceptr)runs->begin, runs);
    CUresult result = CUDA_SUCCESS;
    for (int64_t i = 0; i < runs->count && result == CUDA_SUCCESS; i++) {
        CUdeviceptr begin = (CUdeviceptr)(runs->begin + i * runs->stride);
        result = real.cuMemcpyPeerAsync(to_address + begin, gpu->device[to].context,
                                        from_address + begin, gpu->device[from].context,
                                        (size_t)runs->length, gpu->device[to].stream);
    }
    return result;
}
