/* device_transfers.c: copies between devices, in order with what runs there. */
#include "partition/interpose/gpu/order.h"
#include "partition/interpose/gpu/readers.h"
#include "partition/interpose/report/counters.h"

#include "device_transfers.h"
#include "copy_runs.h"
#include "pull.h"

static CUresult copy_from_host(struct virtual_gpu *gpu, struct buffer *buffer,
                               const struct partition_copy *copy)
{
    buffer->host_is_read = true;
    counters.htod_bytes += (uint64_t)(copy->bytes.length * copy->bytes.count);
    counters.htod_copies++;
    gpu->device[copy->to].worked = true;
    return copy_runs_to_device(buffer->address[copy->to], buffer->host, &copy->bytes,
                               gpu->device[copy->to].stream);
}

/* Short ones are collected for one kernel. */
static CUresult copy_from_peer(struct virtual_gpu *gpu, struct buffer *buffer,
                               const struct partition_copy *copy, struct pull *pull)
{
    CUdeviceptr to = buffer->address[copy->to], from = buffer->address[copy->from];
    counters_add_copy(copy->from, copy->to, (uint64_t)(copy->bytes.length * copy->bytes.count));
    readers_note(gpu, buffer, copy->from, copy->to);
    gpu->device[copy->to].worked = true;
    if (!pull_takes(gpu, copy->to, copy->from, &copy->bytes))
        return copy_runs_to_peer(gpu, copy->to, to, copy->from, from, &copy->bytes);
    pull_add(pull, to, from, &copy->bytes);
    return pull->count == PULL_MAX ? pull_run(gpu, copy->to, pull) : CUDA_SUCCESS;
}

/* The copies to one device, which come next in each list. */
static CUresult copy_to(struct virtual_gpu *gpu, int device, struct device_transfer *transfers,
                        size_t count)
{
    struct pull pull;
    pull.count = 0;
    CUresult result = order_use(gpu, device);
    for (size_t i = 0; i < count; i++) {
        struct buffer *buffer = transfers[i].buffer;
        const struct copies *copies = transfers[i].copies;
        for (; transfers[i].done < copies->count; transfers[i].done++) {
            const struct partition_copy *copy = &copies->items[transfers[i].done];
            if (copy->to != device)
                break;
            if (result == CUDA_SUCCESS)
                result = copy->from == gpu->devices ? copy_from_host(gpu, buffer, copy)
                                                    : copy_from_peer(gpu, buffer, copy, &pull);
        }
    }
    return result == CUDA_SUCCESS ? pull_run(gpu, device, &pull) : result;
}

/* A device goes on when those that it gets something from have done what was noted, and when nobody
 * reads what it is about to overwrite. */
static CUresult wait_for_others(struct virtual_gpu *gpu, int device, uint64_t sources,
                                const struct device_transfer *transfers, size_t count)
{
    CUresult result = CUDA_SUCCESS;
    for (; sources && result == CUDA_SUCCESS; sources &= sources - 1)
        result = order_after_ready(gpu, device, __builtin_ctzll(sources));
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        if (transfers[i].copies->needs[device] || transfers[i].copies->from_host)
            result = readers_wait(gpu, transfers[i].buffer, device);
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
    /* All wait before any copies, so that they wait for what was there before these copies. */
    for (int d = 0; d < gpu->devices && result == CUDA_SUCCESS; d++)
        result = wait_for_others(gpu, d, needs[d], transfers, count);
    for (int d = 0; d < gpu->devices && result == CUDA_SUCCESS; d++) {
        result = copy_to(gpu, d, transfers, count);
        if (result == CUDA_SUCCESS && needs[d])
            readers_batch_given(gpu, d);
    }
    return result;
}
