/* managed_batch.c: prefetches and discards of managed memory, one range or several at once. */
#include <stdlib.h>

#include "managed.h"

struct range {
    struct managed_region *region;
    const void *start;
    size_t bytes;
    int device; /* where it is prefetched to */
};

struct batch {
    struct operation base;
    bool discards, prefetches;
    size_t count;
    struct range ranges[];
};

static void batch_run(struct operation *operation, cudaError_t status)
{
    const struct batch *batch = (const struct batch *)operation;

    for (size_t i = 0; i < batch->count && status == cudaSuccess; i++) {
        const struct range *range = &batch->ranges[i];
        if (batch->discards)
            managed_discard(range->region, range->start, range->bytes);
        if (batch->prefetches)
            managed_prefetch(range->region, range->start, range->bytes, range->device);
    }
}

static void batch_destroy(struct operation *operation)
{
    free(operation);
}

static struct batch *batch_make(size_t count, bool discards, bool prefetches)
{
    struct batch *batch = calloc(1, sizeof *batch + count * sizeof *batch->ranges);

    if (!batch)
        return NULL;
    batch->base.run = batch_run;
    batch->base.destroy = batch_destroy;
    batch->discards = discards;
    batch->prefetches = prefetches;
    batch->count = count;
    return batch;
}

/* A batch occupies the engine of its first range. */
static cudaError_t batch_submit(struct batch *batch, stream_t *stream)
{
    int device = batch->prefetches ? batch->ranges[0].device : stream->device->index;

    batch->base.engine =
        device == cudaCpuDeviceId ? &stream->device->to_host : &soft_devices[device].to_device;
    return schedule_submit(stream, &batch->base, NULL);
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct cudaMemLocation location,
                                 unsigned flags, cudaStream_t handle)
{
    struct device *current;
    stream_t *stream;
    struct range range = {.start = pointer, .bytes = bytes};
    cudaError_t error = api_begin(&current);

    if (error == cudaSuccess && flags != 0)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = managed_device_of(location, &range.device);
    if (error == cudaSuccess)
        error = managed_range_of(pointer, bytes, &range.region);
    if (error == cudaSuccess)
        error = stream_check(handle, NULL, &stream);
    if (error != cudaSuccess)
        return api_end(error);
    struct batch *batch = batch_make(1, false, true);
    if (!batch)
        return api_end(cudaErrorMemoryAllocation);
    batch->ranges[0] = range;
    return api_end(batch_submit(batch, stream));
}

/* ---- several ranges ---- */

/* What the callers of the three functions below give. */
struct request {
    void **starts;
    size_t *bytes;
    size_t count;
    struct cudaMemLocation *locations; /* NULL: no prefetch */
    size_t *first;                     /* range from which on a location applies; ascending */
    size_t location_count;
    bool discards;
};

static cudaError_t check_request(const struct request *request, unsigned long long flags,
                                 cudaStream_t handle)
{
    bool any = request->starts && request->bytes && request->count > 0;

    if (!any || flags != 0 || !handle || handle == cudaStreamLegacy)
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

static cudaError_t check_locations(const struct request *request)
{
    if (!request->locations || !request->first || request->location_count == 0 ||
        request->location_count > request->count || request->first[0] != 0)
        return cudaErrorInvalidValue;
    for (size_t l = 1; l < request->location_count; l++)
        if (request->first[l] <= request->first[l - 1] || request->first[l] >= request->count)
            return cudaErrorInvalidValue;
    return cudaSuccess;
}

static cudaError_t fill_batch(struct batch *batch, const struct request *request)
{
    size_t location = 0;

    for (size_t i = 0; i < request->count; i++) {
        struct range *range = &batch->ranges[i];
        range->start = request->starts[i];
        range->bytes = request->bytes[i];
        cudaError_t error = managed_range_of(range->start, range->bytes, &range->region);
        if (error == cudaSuccess && batch->prefetches) {
            if (location + 1 < request->location_count && request->first[location + 1] == i)
                location++;
            error = managed_device_of(request->locations[location], &range->device);
        }
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

static cudaError_t enqueue(const struct request *request, bool prefetches, unsigned long long flags,
                           cudaStream_t handle)
{
    struct device *current;
    stream_t *stream;
    cudaError_t error = api_begin(&current);

    if (error == cudaSuccess)
        error = check_request(request, flags, handle);
    if (error == cudaSuccess && prefetches)
        error = check_locations(request);
    if (error == cudaSuccess)
        error = stream_check(handle, NULL, &stream);
    if (error != cudaSuccess)
        return api_end(error);
    struct batch *batch = batch_make(request->count, request->discards, prefetches);
    if (!batch)
        return api_end(cudaErrorMemoryAllocation);
    error = fill_batch(batch, request);
    if (error == cudaSuccess)
        return api_end(batch_submit(batch, stream));
    free(batch);
    return api_end(error);
}

cudaError_t cudaMemPrefetchBatchAsync(void **pointers, size_t *bytes, size_t count,
                                      struct cudaMemLocation *locations, size_t *first,
                                      size_t location_count, unsigned long long flags,
                                      cudaStream_t stream)
{
    return enqueue(&(struct request){.starts = pointers,
                                     .bytes = bytes,
                                     .count = count,
                                     .locations = locations,
                                     .first = first,
                                     .location_count = location_count},
                   true, flags, stream);
}

cudaError_t cudaMemDiscardBatchAsync(void **pointers, size_t *bytes, size_t count,
                                     unsigned long long flags, cudaStream_t stream)
{
    return enqueue(
        &(struct request){.starts = pointers, .bytes = bytes, .count = count, .discards = true},
        false, flags, stream);
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **pointers, size_t *bytes, size_t count,
                                                struct cudaMemLocation *locations, size_t *first,
                                                size_t location_count, unsigned long long flags,
                                                cudaStream_t stream)
{
    return enqueue(&(struct request){.starts = pointers,
                                     .bytes = bytes,
                                     .count = count,
                                     .locations = locations,
                                     .first = first,
                                     .location_count = location_count,
                                     .discards = true},
                   true, flags, stream);
}
