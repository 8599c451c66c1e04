#include "batch.h"

#if CUDART_VERSION >= 13000
enum { PIECES = 16 };
static const size_t granule = (size_t)2 << 20; /* what the driver handles at once */

struct pieces {
    void *start[PIECES];
    size_t bytes[PIECES];
    size_t count;
};

static struct pieces cut(void *start, size_t bytes)
{
    const size_t granules = (bytes + granule - 1) / granule;
    const size_t step = (granules + PIECES - 1) / PIECES * granule;
    struct pieces pieces = {.count = 0};

    for (size_t first = 0; first < bytes; first += step) {
        pieces.start[pieces.count] = (char *)start + first;
        pieces.bytes[pieces.count++] = bytes - first < step ? bytes - first : step;
    }
    return pieces;
}

static struct cudaMemLocation location_of(int device)
{
    struct cudaMemLocation location = {.type = cudaMemLocationTypeDevice, .id = device};

    if (device == cudaCpuDeviceId)
        location = (struct cudaMemLocation){.type = cudaMemLocationTypeHost};
    return location;
}

cudaError_t batch_prefetch(void *start, size_t bytes, int device, cudaStream_t stream)
{
    struct pieces pieces = cut(start, bytes);
    struct cudaMemLocation location = location_of(device);
    size_t all = 0;

    return cudaMemPrefetchBatchAsync(pieces.start, pieces.bytes, pieces.count, &location, &all, 1,
                                     0, stream);
}

cudaError_t batch_discard(void *start, size_t bytes, cudaStream_t stream)
{
    struct pieces pieces = cut(start, bytes);

    return cudaMemDiscardBatchAsync(pieces.start, pieces.bytes, pieces.count, 0, stream);
}

cudaError_t batch_discard_and_prefetch(void *start, size_t bytes, int device, cudaStream_t stream)
{
    struct pieces pieces = cut(start, bytes);
    struct cudaMemLocation location = location_of(device);
    size_t all = 0;

    return cudaMemDiscardAndPrefetchBatchAsync(pieces.start, pieces.bytes, pieces.count, &location,
                                               &all, 1, 0, stream);
}
#else
cudaError_t batch_prefetch(void *start, size_t bytes, int device, cudaStream_t stream)
{
    (void)start, (void)bytes, (void)device, (void)stream;
    return cudaErrorNotSupported;
}

cudaError_t batch_discard(void *start, size_t bytes, cudaStream_t stream)
{
    return batch_prefetch(start, bytes, 0, stream);
}

cudaError_t batch_discard_and_prefetch(void *start, size_t bytes, int device, cudaStream_t stream)
{
    return batch_prefetch(start, bytes, device, stream);
}
#endif
