/* copy.c: the API of copies and fills: finds out what the pointers are and checks that the copy is
 * legal.
 *
 * Which engine copies: host to device, the destination's to_device engine; device to host, the
 * source's to_host; within a device, its to_device; between devices, the source's to_host (a push);
 * fills, compute. */
#include "transfer.h"

enum place { PAGEABLE, PAGE_LOCKED, ON_DEVICE, MANAGED };

struct side {
    enum place place;
    struct device *device; /* owner of device memory */
    struct managed_region *managed;
};

/* What lies at [start, start + bytes)? False: the range leaves its allocation or touches another
 * one. */
static bool look_up(const void *start, size_t bytes, struct side *side)
{
    struct allocation allocation;

    *side = (struct side){.place = PAGEABLE};
    if (!start)
        return false;
    if (!allocation_find(start, &allocation))
        return !allocation_overlaps(start, bytes);
    if (bytes > allocation.bytes - ((uintptr_t)start - allocation.base))
        return allocation.kind == REGISTERED_MEMORY; /* partly registered: goes as pageable */
    switch (allocation.kind) {
    case PINNED_MEMORY:
    case REGISTERED_MEMORY:
        side->place = PAGE_LOCKED;
        break;
    case MANAGED_MEMORY:
        side->place = MANAGED;
        side->managed = allocation.managed;
        break;
    case DEVICE_MEMORY:
    case IPC_MEMORY:
    case MODULE_MEMORY:
        side->place = ON_DEVICE;
        side->device = &soft_devices[allocation.device];
    }
    return true;
}

/* May memory of this place be what the copy kind says? Page-locked memory is mapped, so it can be
 * both. */
static bool fits(enum place place, bool said_device)
{
    return said_device ? place != PAGEABLE : place != ON_DEVICE;
}

static bool kind_fits(enum cudaMemcpyKind kind, const struct side *destination,
                      const struct side *source)
{
    if (kind == cudaMemcpyDefault)
        return true;
    return fits(destination->place,
                kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice) &&
           fits(source->place, kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice);
}

/* Managed memory counts as the device's unless the copy kind calls it the host's. */
static bool on_device(const struct side *side, bool said_host)
{
    return side->place == ON_DEVICE || (side->place == MANAGED && !said_host);
}

static void choose_path(struct transfer *t, const struct side *destination,
                        const struct side *source, enum cudaMemcpyKind kind, struct device *device)
{
    bool to_device =
        on_device(destination, kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost);
    bool from_device =
        on_device(source, kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost);
    struct device *destination_device = destination->device ? destination->device : device;
    struct device *source_device = source->device ? source->device : device;

    t->path = STRAIGHT;
    t->base.engine = NULL;
    if (to_device && from_device) {
        t->base.engine = destination_device == source_device ? &source_device->to_device
                                                             : &source_device->to_host;
    } else if (to_device) {
        t->base.engine = &destination_device->to_device;
        if (source->place == PAGEABLE)
            t->path = STAGE_IN;
    } else if (from_device) {
        t->base.engine = &source_device->to_host;
        if (destination->place == PAGEABLE)
            t->path = STAGE_OUT;
    }
}

/* Bytes from the first to the last byte of a rectangle; false if that is no size. */
static bool extent_of(size_t pitch, size_t width, size_t height, size_t *extent)
{
    return !__builtin_mul_overflow(pitch, height - 1, extent) &&
           !__builtin_add_overflow(*extent, width, extent);
}

static cudaError_t prepare(struct transfer *t, enum cudaMemcpyKind kind, struct device *device)
{
    struct side destination, source;
    size_t destination_bytes, source_bytes;

    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (t->destination.pitch == t->width && t->source.pitch == t->width) {
        if (__builtin_mul_overflow(t->width, t->height, &t->width)) /* no gaps: one long row */
            return cudaErrorInvalidValue;
        t->height = 1;
        t->destination.pitch = t->source.pitch = t->width;
    }
    if (!extent_of(t->destination.pitch, t->width, t->height, &destination_bytes) ||
        !extent_of(t->source.pitch, t->width, t->height, &source_bytes) ||
        !look_up(t->destination.base, destination_bytes, &destination) ||
        !look_up(t->source.base, source_bytes, &source) || !kind_fits(kind, &destination, &source))
        return cudaErrorInvalidValue;
    t->destination.managed = destination.managed;
    t->source.managed = source.managed;
    choose_path(t, &destination, &source, kind, device);
    return cudaSuccess;
}

static cudaError_t copy(struct transfer *t, enum cudaMemcpyKind kind, cudaStream_t handle,
                        bool wait)
{
    struct device *device;
    stream_t *stream;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess)
        error = stream_check(handle, NULL, &stream);
    if (error == cudaSuccess && (t->width > t->destination.pitch || t->width > t->source.pitch))
        error = cudaErrorInvalidPitchValue;
    if (error != cudaSuccess || t->width == 0 || t->height == 0)
        return api_end(error);
    error = prepare(t, kind, stream->device);
    if (error == cudaSuccess)
        error = wait ? transfer_now(stream, t) : transfer_later(stream, t);
    return api_end(error);
}

static struct transfer rows(void *destination, size_t destination_pitch, const void *source,
                            size_t source_pitch, size_t width, size_t height)
{
    return (struct transfer){.destination = {(char *)destination, destination_pitch, NULL},
                             .source = {(char *)source, source_pitch, NULL},
                             .width = width,
                             .height = height};
}

cudaError_t cudaMemcpy(void *destination, const void *source, size_t bytes,
                       enum cudaMemcpyKind kind)
{
    struct transfer t = rows(destination, bytes, source, bytes, bytes, 1);

    return copy(&t, kind, NULL, true);
}

cudaError_t cudaMemcpyAsync(void *destination, const void *source, size_t bytes,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct transfer t = rows(destination, bytes, source, bytes, bytes, 1);

    return copy(&t, kind, stream, false);
}

cudaError_t cudaMemcpy2D(void *destination, size_t destination_pitch, const void *source,
                         size_t source_pitch, size_t width_bytes, size_t height,
                         enum cudaMemcpyKind kind)
{
    struct transfer t =
        rows(destination, destination_pitch, source, source_pitch, width_bytes, height);

    return copy(&t, kind, NULL, true);
}

cudaError_t cudaMemcpy2DAsync(void *destination, size_t destination_pitch, const void *source,
                              size_t source_pitch, size_t width_bytes, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct transfer t =
        rows(destination, destination_pitch, source, source_pitch, width_bytes, height);

    return copy(&t, kind, stream, false);
}

/* ---- between devices ---- */

static cudaError_t check_peer(const void *pointer, size_t bytes, int index)
{
    struct side side;

    if (runtime_start() == cudaSuccess && !device_numbered(index))
        return cudaErrorInvalidDevice;
    if (bytes == 0)
        return cudaSuccess;
    if (!look_up(pointer, bytes, &side) || side.place == PAGEABLE || side.place == PAGE_LOCKED ||
        (side.device && side.device->index != index))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

static cudaError_t check_peers(const void *destination, int destination_device, const void *source,
                               int source_device, size_t bytes)
{
    cudaError_t error = check_peer(destination, bytes, destination_device);

    return error == cudaSuccess ? check_peer(source, bytes, source_device) : error;
}

/* In order with all earlier work of both devices. */
cudaError_t cudaMemcpyPeer(void *destination, int destination_device, const void *source,
                           int source_device, size_t bytes)
{
    cudaError_t error = check_peers(destination, destination_device, source, source_device, bytes);

    if (error != cudaSuccess)
        return api_end(error);
    if (!soft_in_host_function && runtime_start() == cudaSuccess) {
        device_wait(device_numbered(source_device));
        device_wait(device_numbered(destination_device));
    }
    return cudaMemcpy(destination, source, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *destination, int destination_device, const void *source,
                                int source_device, size_t bytes, cudaStream_t stream)
{
    cudaError_t error = check_peers(destination, destination_device, source, source_device, bytes);

    if (error != cudaSuccess)
        return api_end(error);
    return cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDeviceToDevice, stream);
}

/* ---- fills ---- */

cudaError_t soft_fill(void *pointer, size_t pitch, unsigned value, unsigned value_bytes,
                      size_t width, size_t height, cudaStream_t handle, bool wait)
{
    struct device *device;
    stream_t *stream;
    struct side side;
    size_t bytes;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess)
        error = stream_check(handle, NULL, &stream);
    if (error == cudaSuccess && width > pitch)
        error = cudaErrorInvalidPitchValue;
    if (error != cudaSuccess || width == 0 || height == 0)
        return api_end(error);
    if (!extent_of(pitch, width, height, &bytes) || !look_up(pointer, bytes, &side) ||
        side.place == PAGEABLE)
        return api_end(cudaErrorInvalidValue);
    struct transfer t = {.path = FILL,
                         .destination = {(char *)pointer, pitch, side.managed},
                         .width = width,
                         .height = height,
                         .fill = value,
                         .fill_bytes = value_bytes};
    t.base.engine = &(side.device ? side.device : stream->device)->compute;
    error = wait ? transfer_now(stream, &t) : transfer_later(stream, &t);
    return api_end(error);
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes)
{
    return soft_fill(pointer, bytes, (unsigned)value, 1, bytes, 1, NULL, true);
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream)
{
    return soft_fill(pointer, bytes, (unsigned)value, 1, bytes, 1, stream, false);
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width_bytes, size_t height)
{
    return soft_fill(pointer, pitch, (unsigned)value, 1, width_bytes, height, NULL, true);
}

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width_bytes,
                              size_t height, cudaStream_t stream)
{
    return soft_fill(pointer, pitch, (unsigned)value, 1, width_bytes, height, stream, false);
}
