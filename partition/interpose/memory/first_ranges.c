/* first_ranges.c: calls on memory that run on device 0 as the program made them. */
#include "first_ranges.h"

#include <stdlib.h>

#include "partition/interpose/copies/device_transfers.h"
#include "partition/interpose/gpu/host_order.h"
#include "partition/interpose/gpu/order.h"
#include "partition/interpose/gpu/readers.h"

#include "contents.h"

/* The range in bytes of its buffer; *buffer is NULL if it is in none. */
static CUresult locate(struct virtual_gpu *gpu, const struct first_range *range,
                       struct buffer **buffer, int64_t *begin, int64_t *end)
{
    *buffer = range->bytes ? buffers_find(gpu, range->address) : NULL;
    if (!*buffer)
        return CUDA_SUCCESS;
    size_t offset = (size_t)(range->address - (*buffer)->address[0]);
    if (range->bytes > (*buffer)->bytes - offset)
        return CUDA_ERROR_INVALID_VALUE;
    *begin = (int64_t)offset;
    *end = (int64_t)(offset + range->bytes);
    return CUDA_SUCCESS;
}

static CUresult fetch(struct virtual_gpu *gpu, const struct first_range *range)
{
    struct buffer *buffer;
    int64_t begin = 0, end = 0;
    CUresult result = locate(gpu, range, &buffer, &begin, &end);
    if (result != CUDA_SUCCESS || !buffer)
        return result;
    const struct plan *plan;
    enum dm_status status = contents_fetch(gpu, buffer, begin, end, &plan);
    if (status != DM_OK)
        return result_of(status);
    struct device_transfer transfer = {buffer, &plan->copies, 0};
    result = device_transfers(gpu, &transfer, 1);
    if (result == CUDA_SUCCESS)
        contents_fetched(buffer, plan);
    return result;
}

/* Who follows launches alone cannot know later that the range is on device 0 only: every device
 * gets the buffer. */
static CUresult spread(struct virtual_gpu *gpu, struct buffer *buffer)
{
    struct partition_copy *items = calloc(gpu->devices, sizeof *items);
    struct copies copies;
    if (!items)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (int d = 1; d < gpu->devices; d++)
        items[d - 1] = (struct partition_copy){0, d, {0, (int64_t)buffer->bytes, 1, 0}};
    enum dm_status status = copies_make(&copies, gpu->devices, items, (size_t)gpu->devices - 1);
    if (status != DM_OK)
        return result_of(status);
    struct device_transfer transfer = {buffer, &copies, 0};
    CUresult result = device_transfers(gpu, &transfer, 1);
    copies_free(&copies);
    status = contents_written_everywhere(gpu, buffer, 0, (int64_t)buffer->bytes);
    return status == DM_OK ? result : result_of(status);
}

static CUresult note_write(struct virtual_gpu *gpu, const struct first_range *range)
{
    struct buffer *buffer;
    int64_t begin = 0, end = 0;
    CUresult result = locate(gpu, range, &buffer, &begin, &end);
    if (result != CUDA_SUCCESS || !buffer || !range->written)
        return result;
    if (gpu->settings.resolution == PARTITION_LAST_WRITER)
        return spread(gpu, buffer);
    return result_of(contents_written(gpu, buffer, 0, begin, end));
}

static CUresult wait_for_readers(struct virtual_gpu *gpu, const struct first_range *range)
{
    struct buffer *buffer = range->written ? buffers_find(gpu, range->address) : NULL;
    return buffer ? readers_wait(gpu, buffer, 0) : CUDA_SUCCESS;
}

/* What is in no buffer may be memory of the host. */
static bool touches_host(const struct virtual_gpu *gpu, const struct first_range *ranges,
                         size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!buffers_find(gpu, ranges[i].address))
            return true;
    return false;
}

CUresult first_ranges_run(struct virtual_gpu *gpu, const struct first_range *ranges, size_t count,
                          CUresult (*run)(CUstream stream, void *task), void *task)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        result = fetch(gpu, &ranges[i]);
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        result = wait_for_readers(gpu, &ranges[i]);
    if (result == CUDA_SUCCESS && touches_host(gpu, ranges, count))
        result = host_order_use_any(gpu, 0);
    if (result == CUDA_SUCCESS)
        result = order_use(gpu, 0);
    if (result != CUDA_SUCCESS)
        return result;
    result = run(gpu->device[0].stream, task);
    gpu->device[0].worked = true;
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        result = note_write(gpu, &ranges[i]);
    return result;
}
