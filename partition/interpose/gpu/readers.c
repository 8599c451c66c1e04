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

void readers_batch_given(struct virtual_gpu *gpu, int to)
{
    gpu->device[to].batches++;
}

CUresult readers_wait(struct virtual_gpu *gpu, const struct buffer *buffer, int device)
{
    CUresult result = CUDA_SUCCESS;
    for (int r = 0; r < gpu->devices && result == CUDA_SUCCESS; r++) {
        if (*last_read(gpu, buffer, device, r) <= gpu->device[device].waited[r])
            continue;
        result = order_ready(gpu, r);
        if (result == CUDA_SUCCESS)
            result = order_after_ready(gpu, device, r);
    }
    return result;
}
