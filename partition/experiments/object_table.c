#include "partition/interpose/memory/buffers.h"

#include "object_table.h"

struct object_entry object_table_find(CUdeviceptr pointer)
{
    struct object_entry entry = {.devices = 0};
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return entry;
    const struct buffer *buffer = buffers_find(gpu, pointer);
    if (buffer) {
        entry.devices = gpu->devices;
        entry.bytes = buffer->bytes;
        for (int d = 0; d < gpu->devices; d++)
            entry.on[d] = buffer->address[d];
    }
    virtual_gpu_leave(gpu, CUDA_SUCCESS);
    return entry;
}
