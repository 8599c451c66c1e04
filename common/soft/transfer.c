/* transfer.c: executes copies and fills, straight or through a bounce buffer. */
#include "transfer.h"

#include "graph.h"
#include "softgpu/builtins.h"

#include <stdlib.h>
#include <string.h>

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Copies `bytes` bytes between contiguous memory and the plane; `offset` counts the plane's bytes
 * row by row, without the gaps between rows. */
static void copy_packed(char *packed, const struct plane *plane, size_t width, size_t offset,
                        size_t bytes, bool into_packed)
{
    while (bytes > 0) {
        size_t column = offset % width, piece = smaller(width - column, bytes);
        char *place = plane->base + offset / width * plane->pitch + column;
        if (into_packed)
            memcpy(packed, place, piece);
        else
            memcpy(place, packed, piece);
        packed += piece;
        offset += piece;
        bytes -= piece;
    }
}

static void copy_straight(const struct transfer *t)
{
    for (size_t row = 0; row < t->height; row++)
        memmove(t->destination.base + row * t->destination.pitch,
                t->source.base + row * t->source.pitch, t->width);
}

/* Fills the row with its first value, then with longer and longer pieces of itself, which are still
 * in the cache. */
static void fill_row(char *row, const struct transfer *t)
{
    size_t done = t->fill_bytes;

    memcpy(row, &t->fill, t->fill_bytes); /* the low bytes: x86 and ARM are little-endian */
    for (size_t piece; done < t->width; done += piece) {
        piece = smaller(smaller(done, PAGE_BYTES), t->width - done);
        memcpy(row + done, row, piece);
    }
}

static void fill(const struct transfer *t)
{
    for (size_t row = 0; row < t->height; row++) {
        char *start = t->destination.base + row * t->destination.pitch;
        if (t->fill_bytes == 1)
            memset(start, (int)t->fill, t->width);
        else
            fill_row(start, t);
    }
}

/* ---- the two ends of a bounce buffer ---- */

static void produce(struct staging *staging, const struct transfer *t)
{
    size_t total = t->width * t->height;

    for (size_t offset = 0; offset < total; offset += STAGING_BYTES) {
        char *slot = staging_wait_free(staging);
        if (!slot)
            return;
        copy_packed(slot, &t->source, t->width, offset, smaller(total - offset, STAGING_BYTES),
                    true);
        staging_filled(staging);
    }
}

static void consume(struct staging *staging, const struct transfer *t)
{
    size_t total = t->width * t->height;

    for (size_t offset = 0; offset < total; offset += STAGING_BYTES) {
        char *slot = staging_wait_full(staging);
        if (!slot)
            return;
        copy_packed(slot, &t->destination, t->width, offset, smaller(total - offset, STAGING_BYTES),
                    false);
        staging_drained(staging);
    }
}

/* Both ends in one thread. */
static void bounce(struct staging *staging, const struct transfer *t)
{
    size_t total = t->width * t->height;

    for (size_t offset = 0; offset < total; offset += STAGING_BYTES) {
        size_t bytes = smaller(total - offset, STAGING_BYTES);
        copy_packed(staging->slots[0], &t->source, t->width, offset, bytes, true);
        copy_packed(staging->slots[0], &t->destination, t->width, offset, bytes, false);
    }
}

/* ---- execution ---- */

static size_t extent(const struct plane *plane, const struct transfer *t)
{
    return (t->height - 1) * plane->pitch + t->width;
}

static void open_managed(const struct transfer *t)
{
    if (t->source.managed)
        managed_open(t->source.managed, t->source.base, extent(&t->source, t), false);
    if (t->destination.managed)
        managed_open(t->destination.managed, t->destination.base, extent(&t->destination, t), true);
}

static void close_managed(const struct transfer *t)
{
    if (t->source.managed)
        managed_close(t->source.managed, t->source.base, extent(&t->source, t));
    if (t->destination.managed)
        managed_close(t->destination.managed, t->destination.base, extent(&t->destination, t));
}

static void transfer_run(struct operation *operation, cudaError_t status)
{
    struct transfer *t = (struct transfer *)operation;

    if (status != cudaSuccess)
        return; /* transfer_destroy tells who waits at the other end */
    open_managed(t);
    soft_fence(); /* kernels that run meanwhile may have raised a flag for this, and wait for one */
    switch (t->path) {
    case STRAIGHT:
        copy_straight(t);
        break;
    case FILL:
        fill(t);
        break;
    case STAGE_IN:
        consume(t->staging, t);
        break;
    case STAGE_OUT:
        produce(t->staging, t);
        break;
    }
    soft_fence();
    close_managed(t);
}

static void transfer_destroy(struct operation *operation)
{
    struct transfer *t = (struct transfer *)operation;

    if (t->staging) {
        /* An operation that was not run leaves the other end waiting; after a complete run a
         * producer is done too, and a consumer must still get what was filled. */
        if (t->path == STAGE_IN || t->staging->filled == 0)
            staging_abandon(t->staging);
        staging_drop(t->staging);
    }
    free(t);
}

static bool staged(const struct transfer *t)
{
    return t->path == STAGE_IN || t->path == STAGE_OUT;
}

static bool between_host_memory(const struct transfer *t)
{
    return t->path == STRAIGHT && !t->base.engine;
}

/* Submits a copy; the caller's end of a bounce buffer is done when this returns. *point: where the
 * stream is when the copy is complete. */
static cudaError_t start(stream_t *stream, const struct transfer *transfer, struct point *point)
{
    struct transfer *t = malloc(sizeof *t);

    if (!t)
        return cudaErrorMemoryAllocation;
    *t = *transfer;
    t->base.run = transfer_run;
    t->base.destroy = transfer_destroy;
    t->staging = NULL;
    struct staging *staging = NULL;
    if (staged(t)) {
        staging = t->staging = staging_take(2);
        if (!staging) {
            free(t);
            return cudaErrorMemoryAllocation;
        }
    }
    cudaError_t error = schedule_submit_point(stream, &t->base, point);
    if (staging) {
        if (error == cudaSuccess && transfer->path == STAGE_IN)
            produce(staging, transfer);
        else if (error == cudaSuccess)
            consume(staging, transfer);
        staging_drop(staging);
    }
    return error;
}

cudaError_t transfer_later(stream_t *stream, const struct transfer *transfer)
{
    struct point point;
    bool waits = staged(transfer) || between_host_memory(transfer);
    if (waits && stream_captured(stream))
        return cudaErrorStreamCaptureUnsupported;
    cudaError_t error = start(stream, transfer, &point);

    if (error != cudaSuccess)
        return error;
    if (transfer->path == STAGE_OUT || between_host_memory(transfer)) {
        point_wait(&point);
        return device_status(stream->device);
    }
    pthread_mutex_lock(&schedule_lock);
    point_drop(&point);
    pthread_mutex_unlock(&schedule_lock);
    return cudaSuccess;
}

cudaError_t transfer_now(stream_t *stream, const struct transfer *transfer)
{
    struct transfer t = *transfer;
    struct point point;

    if (stream_captured(stream))
        return cudaErrorStreamCaptureUnsupported;
    t.staging = NULL;
    if (staged(&t) && !(t.staging = staging_take(1)))
        return cudaErrorMemoryAllocation;
    bool here = schedule_inline_begin(stream, &t.base);
    if (here) {
        open_managed(&t);
        if (t.path == STRAIGHT)
            copy_straight(&t);
        else if (t.path == FILL)
            fill(&t);
        else
            bounce(t.staging, &t);
        close_managed(&t);
        schedule_inline_end(stream, &t.base);
    }
    if (t.staging)
        staging_drop(t.staging);
    if (here)
        return device_status(stream->device);
    cudaError_t error = start(stream, transfer, &point);
    if (error != cudaSuccess)
        return error;
    point_wait(&point);
    return device_status(stream->device);
}
