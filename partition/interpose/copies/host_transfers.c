/* host_transfers.c: copies between the program's memory on the host and its buffers. */
#include "host_transfers.h"

#include <string.h>

#include "partition/interpose/gpu/host_order.h"
#include "partition/interpose/gpu/order.h"
#include "partition/interpose/gpu/readers.h"
#include "partition/interpose/memory/contents.h"
#include "partition/interpose/report/counters.h"

#include "copy_runs.h"

/* Parts of a scattered copy begin at multiples of that many bytes, for speed. */
enum { PART_ALIGNMENT = 256 };

/* Of `bytes` in equal parts, the end of the one of that device. */
static size_t part_end(size_t bytes, int devices, int device)
{
    if (device + 1 == devices)
        return bytes;
    size_t end = (size_t)((unsigned __int128)bytes * (unsigned)(device + 1) / (unsigned)devices);
    return end - end % PART_ALIGNMENT;
}

static CUresult copy_in(struct virtual_gpu *gpu, struct buffer *buffer, int device, size_t begin,
                        const char *source, size_t bytes)
{
    struct virtual_device *to = &gpu->device[device];
    CUresult result = order_use(gpu, device);
    if (result == CUDA_SUCCESS && bytes)
        result = readers_wait(gpu, buffer, device);
    if (result != CUDA_SUCCESS || !bytes)
        return result;
    to->worked = true;
    counters.htod_bytes += bytes;
    counters.htod_copies++;
    return real.cuMemcpyHtoDAsync_v2(buffer->address[device] + begin, source, bytes, to->stream);
}

static CUresult scatter(struct virtual_gpu *gpu, struct buffer *buffer, size_t begin,
                        const char *source, size_t bytes)
{
    size_t from = 0;
    CUresult ordered = host_order_use(gpu, ALL_DEVICES, source, bytes, false);
    if (ordered != CUDA_SUCCESS)
        return ordered;
    for (int d = 0; d < gpu->devices; d++) {
        size_t to = part_end(bytes, gpu->devices, d);
        CUresult result = copy_in(gpu, buffer, d, begin + from, source + from, to - from);
        if (result != CUDA_SUCCESS)
            return result;
        result = result_of(
            contents_written(gpu, buffer, d, (int64_t)(begin + from), (int64_t)(begin + to)));
        if (result != CUDA_SUCCESS)
            return result;
        from = to;
    }
    return CUDA_SUCCESS;
}

static CUresult broadcast(struct virtual_gpu *gpu, struct buffer *buffer, size_t begin,
                          const char *source, size_t bytes)
{
    CUresult result = host_order_use(gpu, ALL_DEVICES, source, bytes, false);
    for (int d = 0; d < gpu->devices && result == CUDA_SUCCESS; d++)
        result = copy_in(gpu, buffer, d, begin, source, bytes);
    if (result != CUDA_SUCCESS)
        return result;
    return result_of(
        contents_written_everywhere(gpu, buffer, (int64_t)begin, (int64_t)(begin + bytes)));
}

/* Into the buffer's memory on the host, from where launches fetch what they read. Copies that were
 * requested before may still read from there, or write the source. */
static CUresult keep(struct virtual_gpu *gpu, struct buffer *buffer, size_t begin,
                     const char *source, size_t bytes)
{
    if (buffer->host_is_read || host_order_is_used(gpu, source, bytes, false)) {
        CUresult result = order_synchronise(gpu);
        if (result != CUDA_SUCCESS)
            return result;
        buffer->host_is_read = false;
    }
    memcpy(buffer->host + begin, source, bytes);
    return result_of(
        contents_written(gpu, buffer, gpu->devices, (int64_t)begin, (int64_t)(begin + bytes)));
}

static bool has_host_memory(struct buffer *buffer)
{
    void *host;
    if (!buffer->host &&
        real.cuMemHostAlloc(&host, buffer->bytes, CU_MEMHOSTALLOC_PORTABLE) == CUDA_SUCCESS)
        buffer->host = host;
    return buffer->host;
}

static CUresult wait_if(struct virtual_gpu *gpu, bool wait)
{
    return wait ? virtual_gpu_wait(gpu, NULL, NULL) : CUDA_SUCCESS;
}

/* A module's variable is read by kernels whose arguments do not show it: every device gets it. */
CUresult host_transfer_in(struct virtual_gpu *gpu, struct buffer *buffer, size_t begin,
                          const void *source, size_t bytes, bool wait)
{
    CUresult result;
    if (gpu->settings.htod == PARTITION_BROADCAST || buffer->module)
        result = broadcast(gpu, buffer, begin, source, bytes);
    else if (gpu->settings.htod == PARTITION_LAZY && has_host_memory(buffer))
        return keep(gpu, buffer, begin, source, bytes);
    else
        result = scatter(gpu, buffer, begin, source, bytes);
    return result == CUDA_SUCCESS ? wait_if(gpu, wait) : result;
}

static CUresult copy_out(struct virtual_gpu *gpu, struct buffer *buffer, char *destination,
                         const struct partition_copy *copy)
{
    struct virtual_device *from = &gpu->device[copy->from];
    CUresult result = order_use(gpu, copy->from);
    if (result != CUDA_SUCCESS)
        return result;
    from->worked = true;
    counters.dtoh_copies++;
    counters.dtoh_bytes += (uint64_t)(copy->bytes.length * copy->bytes.count);
    return copy_runs_to_host(destination, buffer->address[copy->from], &copy->bytes, from->stream);
}

/* What is in the buffer's memory on the host. Copies that were requested before may still use the
 * destination. */
static CUresult copy_kept(struct virtual_gpu *gpu, const struct buffer *buffer, char *destination,
                          const struct copies *copies)
{
    CUresult result = copies->from_host ? order_synchronise(gpu) : CUDA_SUCCESS;
    for (size_t c = 0; c < copies->count && result == CUDA_SUCCESS; c++) {
        const struct partition_runs *runs = &copies->items[c].bytes;
        int64_t count = copies->items[c].from == gpu->devices ? runs->count : 0;
        for (int64_t i = 0; i < count; i++) {
            int64_t begin = runs->begin + i * runs->stride;
            memcpy(destination + begin, buffer->host + begin, (size_t)runs->length);
        }
    }
    return result;
}

/* What the host copies comes first: it waits for all that was requested before, and what the
 * devices are given here has to be remembered. */
CUresult host_transfer_out(struct virtual_gpu *gpu, struct buffer *buffer, size_t begin,
                           void *destination, size_t bytes, bool wait)
{
    const struct plan *plan;
    enum dm_status status =
        contents_gather(gpu, buffer, (int64_t)begin, (int64_t)(begin + bytes), &plan);
    if (status != DM_OK)
        return result_of(status);
    /* Runs are counted from the buffer's begin; only bytes of the destination are touched. */
    char *origin = (char *)((uintptr_t)destination - begin);
    CUresult result = copy_kept(gpu, buffer, origin, &plan->copies);
    if (result == CUDA_SUCCESS)
        result = host_order_use(gpu, ALL_DEVICES, destination, bytes, true);
    for (size_t i = 0; i < plan->copies.count && result == CUDA_SUCCESS; i++)
        if (plan->copies.items[i].from < gpu->devices)
            result = copy_out(gpu, buffer, origin, &plan->copies.items[i]);
    return result == CUDA_SUCCESS ? wait_if(gpu, wait) : result;
}
