/* device_transfers.c: copies between devices, in order with what runs there. */
#include "device_transfers.h"

#include "copy_runs.h"
#include "counters.h"
#include "order.h"

static CUresult copy_one(struct virtual_gpu *gpu, struct buffer *buffer,
                         const struct device_copy *copy)
{
    CUdeviceptr to = buffer->address[copy->to];
    uint64_t bytes = (uint64_t)(copy->bytes.length * copy->bytes.count);
    gpu->device[copy->to].worked = true;
    if (copy->from == gpu->devices) {
        buffer->host_is_read = true;
        counters.htod_bytes += bytes;
        counters.htod_copies++;
        return copy_runs_to_device(to, buffer->host, &copy->bytes, gpu->device[copy->to].stream);
    }
    counters_add_copy(copy->from, copy->to, bytes);
    return copy_runs_to_peer(gpu, copy->to, to, copy->from, buffer->address[copy->from],
                             &copy->bytes);
}

/* The copies to one device, which come next in each list. */
static CUresult copy_to(struct virtual_gpu *gpu, int device, struct device_transfer *transfers,
                        size_t count)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < count; i++) {
        const struct copies *copies = transfers[i].copies;
        size_t *done = &transfers[i].done;
        while (result == CUDA_SUCCESS && *done < copies->count &&
               copies->items[*done].to == device) {
            result = order_use(gpu, device);
            if (result == CUDA_SUCCESS)
                result = copy_one(gpu, transfers[i].buffer, &copies->items[*done]);
            (*done)++;
        }
    }
    return result;
}

static CUresult wait_for_sources(struct virtual_gpu *gpu, int device, uint64_t sources)
{
    CUresult result = CUDA_SUCCESS;
    for (; sources && result == CUDA_SUCCESS; sources &= sources - 1)
        result = order_after_ready(gpu, device, __builtin_ctzll(sources));
    return result;
}

/* What a source does next may overwrite what is being copied. */
static CUresult hold_sources(struct virtual_gpu *gpu, int device, uint64_t sources)
{
    CUevent copied = gpu->device[device].copied;
    CUresult result = order_use(gpu, device);
    if (result == CUDA_SUCCESS)
        result = real.cuEventRecord(copied, gpu->device[device].stream);
    for (; sources && result == CUDA_SUCCESS; sources &= sources - 1) {
        struct virtual_device *source = &gpu->device[__builtin_ctzll(sources)];
        result = real.cuStreamWaitEvent(source->stream, copied, 0);
        source->worked = true;
    }
    return result;
}

/* Before any of them waits for another one: so none waits for more than it needs. */
static CUresult note_sources(struct virtual_gpu *gpu, const uint64_t *needs)
{
    uint64_t sources = 0;
    CUresult result = CUDA_SUCCESS;
    for (int d = 0; d < gpu->devices; d++)
        sources |= needs[d];
    for (; sources && result == CUDA_SUCCESS; sources &= sources - 1)
        result = order_ready(gpu, __builtin_ctzll(sources));
    return result;
}

/* From which devices each device gets something; false if nothing is to be copied at all. */
static bool collect(const struct virtual_gpu *gpu, const struct device_transfer *transfers,
                    size_t count, uint64_t *needs)
{
    bool any = false;
    for (int d = 0; d < gpu->devices; d++)
        needs[d] = 0;
    for (size_t i = 0; i < count; i++) {
        if (!transfers[i].copies->count)
            continue;
        any = true;
        for (int d = 0; d < gpu->devices; d++)
            needs[d] |= transfers[i].copies->needs[d];
    }
    return any;
}

CUresult device_transfers(struct virtual_gpu *gpu, struct device_transfer *transfers, size_t count)
{
    uint64_t needs[PARTITION_MAX_DEVICES];
    CUresult result = CUDA_SUCCESS;
    if (!collect(gpu, transfers, count, needs))
        return CUDA_SUCCESS;
    result = note_sources(gpu, needs);
    for (int d = 0; d < gpu->devices && result == CUDA_SUCCESS; d++) {
        result = wait_for_sources(gpu, d, needs[d]);
        if (result == CUDA_SUCCESS)
            result = copy_to(gpu, d, transfers, count);
    }
    for (int d = 0; d < gpu->devices && result == CUDA_SUCCESS; d++)
        if (needs[d])
            result = hold_sources(gpu, d, needs[d]);
    return result;
}
