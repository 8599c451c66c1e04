/* readers.c: copies that may still be reading a buffer of another device. */
#include "readers.h"

#include "order.h"

static uint64_t *last_read(const struct virtual_gpu *gpu, const struct buffer *buffer, int from,
                           int to)
{
    return &buffer->last_read[(size_t)from * (size_t)gpu->devices + (size_t)to];
}

void readers_note(const struct virtual_gpu *gpu, struct buffer *buffer, int from, int to)
{
    *last_read(gpu, buffer, from, to) = gpu->device[to].batches + 1;
}

CUresult readers_batch_given(struct virtual_gpu *gpu, int to)
{
    struct virtual_device *reader = &gpu->device[to];
    CUresult result = order_use(gpu, to);
    if (result == CUDA_SUCCESS)
        result = real.cuEventRecord(reader->copied, reader->stream);
    reader->batches++;
    return result;
}

CUresult readers_wait(struct virtual_gpu *gpu, const struct buffer *buffer, int device)
{
    struct virtual_device *writer = &gpu->device[device];
    CUresult result = CUDA_SUCCESS;
    for (int r = 0; r < gpu->devices && result == CUDA_SUCCESS; r++) {
        if (*last_read(gpu, buffer, device, r) <= writer->waited[r])
            continue;
        result = order_use(gpu, device);
        if (result == CUDA_SUCCESS)
            result = real.cuStreamWaitEvent(writer->stream, gpu->device[r].copied, 0);
        writer->waited[r] = gpu->device[r].batches;
        writer->worked = true;
    }
    return result;
}
