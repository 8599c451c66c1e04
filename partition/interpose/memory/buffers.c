/* buffers.c: the table of the program's buffers. */
#include "buffers.h"

#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "partition/interpose/gpu/order.h"
#include "partition/interpose/launch/bindings.h"
#include "partition/interpose/launch/launches.h"
#include "partition/interpose/report/counters.h"

/* What states may take before those are forgotten that are not in use: room for some thousand of
 * few pieces, and so many times what those in use take, as a program that repeats its launches goes
 * round a few states. */
enum { STATES_MIN = 1 << 20, ROUNDS = 16 };

/* The place of the first buffer that begins behind the address. */
static size_t place_behind(const struct virtual_gpu *gpu, CUdeviceptr address)
{
    size_t low = 0, high = gpu->buffer_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (gpu->buffers[middle]->address[0] <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct buffer *buffers_find(const struct virtual_gpu *gpu, CUdeviceptr address)
{
    size_t place = place_behind(gpu, address);
    if (!place)
        return NULL;
    struct buffer *buffer = gpu->buffers[place - 1];
    return address - buffer->address[0] < buffer->bytes ? buffer : NULL;
}

static void free_buffer(struct buffer *buffer)
{
    plans_free(&buffer->plans);
    binding_release(buffer->last_writer);
    partition_states_destroy(buffer->table);
    free(buffer->last_read);
    free(buffer->address);
    free(buffer);
}

/* Its states, of which nothing is known but that. */
static enum dm_status make_states(const struct virtual_gpu *gpu, struct buffer *buffer)
{
    struct partition_range all = {0, (int64_t)buffer->bytes};
    const struct partition_intervals range = {&all, 1, 1};
    TRY(partition_states_create(&buffer->table, gpu->devices, all.end));
    buffer->state = partition_states_initial(buffer->table);
    buffer->states_limit = STATES_MIN;
    return partition_states_written(buffer->table, buffer->state, 0, &range, &buffer->on_first);
}

static enum dm_status fill_buffer(const struct virtual_gpu *gpu, struct buffer *buffer,
                                  const CUdeviceptr *address)
{
    size_t devices = (size_t)gpu->devices;
    buffer->address = malloc(devices * sizeof *address);
    buffer->last_read = calloc(devices * devices, sizeof *buffer->last_read);
    if (!buffer->address || !buffer->last_read)
        return error_no_memory(devices * devices * sizeof *buffer->last_read);
    memcpy(buffer->address, address, devices * sizeof *address);
    return make_states(gpu, buffer);
}

void buffers_limit_states(struct buffer *buffer)
{
    if (partition_states_memory(buffer->table) <= buffer->states_limit)
        return;
    partition_states_forget(buffer->table,
                            (const struct partition_state *[]){buffer->state, buffer->on_first}, 2);
    size_t in_use = ROUNDS * partition_states_memory(buffer->table);
    buffer->states_limit = in_use > STATES_MIN ? in_use : STATES_MIN;
    buffer->generation++;
}

static enum dm_status make_room(struct virtual_gpu *gpu)
{
    if (gpu->buffer_count < gpu->buffer_capacity)
        return DM_OK;
    size_t capacity = gpu->buffer_capacity ? 2 * gpu->buffer_capacity : 16;
    struct buffer **buffers = realloc(gpu->buffers, capacity * sizeof *buffers);
    if (!buffers)
        return error_no_memory(capacity * sizeof *buffers);
    gpu->buffers = buffers;
    gpu->buffer_capacity = capacity;
    return DM_OK;
}

enum dm_status buffers_add(struct virtual_gpu *gpu, const CUdeviceptr *address, size_t bytes,
                           struct module *module, struct buffer **added)
{
    TRY(make_room(gpu));
    struct buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return error_no_memory(sizeof *buffer);
    buffer->bytes = bytes;
    buffer->module = module;
    enum dm_status status = fill_buffer(gpu, buffer, address);
    if (status != DM_OK) {
        free_buffer(buffer);
        return status;
    }
    size_t place = place_behind(gpu, address[0]);
    memmove(gpu->buffers + place + 1, gpu->buffers + place,
            (gpu->buffer_count - place) * sizeof *gpu->buffers);
    gpu->buffers[place] = buffer;
    gpu->buffer_count++;
    *added = buffer;
    return DM_OK;
}

void buffers_remove(struct virtual_gpu *gpu, struct buffer *buffer)
{
    size_t place = place_behind(gpu, buffer->address[0]) - 1;
    gpu->buffer_count--;
    memmove(gpu->buffers + place, gpu->buffers + place + 1,
            (gpu->buffer_count - place) * sizeof *gpu->buffers);
    if (buffer->host)
        real.cuMemFreeHost(buffer->host);
    free_buffer(buffer);
}

static CUresult free_memory(struct virtual_gpu *gpu, const CUdeviceptr *address, int devices)
{
    CUresult first = CUDA_SUCCESS;
    for (int d = 0; d < devices; d++) {
        CUresult result = order_use(gpu, d);
        if (result == CUDA_SUCCESS)
            result = real.cuMemFree_v2(address[d]);
        if (first == CUDA_SUCCESS)
            first = result;
    }
    return first;
}

CUresult buffers_allocate(struct virtual_gpu *gpu, CUdeviceptr *address, size_t bytes)
{
    CUdeviceptr on[PARTITION_MAX_DEVICES];
    for (int d = 0; d < gpu->devices; d++) {
        CUresult result = order_use(gpu, d);
        if (result == CUDA_SUCCESS)
            result = real.cuMemAlloc_v2(&on[d], bytes);
        if (result != CUDA_SUCCESS) {
            free_memory(gpu, on, d);
            return result;
        }
    }
    struct buffer *buffer;
    enum dm_status status = buffers_add(gpu, on, bytes, NULL, &buffer);
    if (status != DM_OK) {
        free_memory(gpu, on, gpu->devices);
        return result_of(status);
    }
    /* A launch that did not know one of its pointers may know it now. */
    launches_drop_strangers(gpu->launches);
    counters.requested_bytes += bytes;
    counters.allocated_bytes += bytes * (uint64_t)gpu->devices;
    *address = on[0];
    return CUDA_SUCCESS;
}

/* Other devices may still be copying from there. */
CUresult buffers_release(struct virtual_gpu *gpu, struct buffer *buffer)
{
    CUresult waited = order_synchronise(gpu);
    launches_drop_buffer(gpu->launches, buffer);
    CUresult freed = free_memory(gpu, buffer->address, gpu->devices);
    buffers_remove(gpu, buffer);
    return waited != CUDA_SUCCESS ? waited : freed;
}
