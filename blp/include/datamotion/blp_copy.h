/* blp_copy.h: what the copy blocks of a persistent kernel move. Device code, part of blp_device.h;
 * nothing here is for callers.
 *
 * Slices of rows are contiguous on both sides; a ring buffer cuts a run of them in two where it
 * begins again. A panel of columns is pitched in host memory; on the device it is contiguous, or
 * pitched where engines copy, too. */
#ifndef DATAMOTION_BLP_COPY_H
#define DATAMOTION_BLP_COPY_H

#include <datamotion/blp_work.h>

#if defined(__CUDACC__) || (defined(SOFTGPU) && defined(__cplusplus))

#include <datamotion/launch.h>

#if defined(__CUDACC__)
#define BLP_UNROLL _Pragma("unroll")
#else
#define BLP_UNROLL
#endif

/* A function of its own keeps its loop's registers apart from those of the rest of the kernel, of
 * which a thread has 64 when a block has 1024 threads. */
#define BLP_OUT_OF_LINE [[maybe_unused]] static __noinline__ __device__

/* ---- copies by the threads of a block, in vectors of 4 or 16 bytes ----
 *
 * Each thread has BLP_LOADS loads in flight before it stores, since a load from host memory takes
 * about 2 us. Each element is read once: the loads are marked for early eviction, which has no part
 * in which values they may return. */

/* Contiguous. Warps begin at 128-byte boundaries of host memory, so that each of their accesses is
 * a whole number of requests on the link. */
template <class Vector>
BLP_OUT_OF_LINE void blp_copy_vectors(void *to, const void *from, long count, const void *host)
{
    Vector *target = (Vector *)to;
    const Vector *source = (const Vector *)from;
    long step = blockDim.x, i = (long)threadIdx.x - (long)((size_t)host % 128 / sizeof *target);
    i += i < 0 ? step : 0;
    for (; i < count; i += BLP_LOADS * step) {
        Vector value[BLP_LOADS] = {};
        BLP_UNROLL
        for (int k = 0; k < BLP_LOADS; k++)
            if (i + k * step < count)
                value[k] = __ldcs(source + i + k * step);
        BLP_UNROLL
        for (int k = 0; k < BLP_LOADS; k++)
            if (i + k * step < count)
                target[i + k * step] = value[k];
    }
}

/* Rows of `width` vectors, each pitch apart: a panel of a matrix, in pieces as wide as the panel.
 */
template <class Vector>
BLP_OUT_OF_LINE void blp_copy_rows(void *to, long to_pitch, const void *from, long from_pitch,
                                   long rows, long width)
{
    Vector *target = (Vector *)to;
    const Vector *source = (const Vector *)from;
    long lanes = width < (long)blockDim.x ? width : (long)blockDim.x, step = blockDim.x / lanes;
    long first = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    if (first >= step)
        return;
    for (long column = lane; column < width; column += lanes)
        for (long row = first; row < rows; row += BLP_LOADS * step) {
            Vector value[BLP_LOADS] = {};
            BLP_UNROLL
            for (int k = 0; k < BLP_LOADS; k++)
                if (row + k * step < rows)
                    value[k] = __ldcs(source + (row + k * step) * from_pitch + column);
            BLP_UNROLL
            for (int k = 0; k < BLP_LOADS; k++)
                if (row + k * step < rows)
                    target[(row + k * step) * to_pitch + column] = value[k];
        }
}

/* ---- slices and panels ---- */

static inline __device__ void blp_copy_run(const struct blp_work *work, void *device, void *host,
                                           long count, bool in)
{
    void *to = in ? device : host;
    const void *from = in ? host : device;
    if (work->vector_bytes == 16)
        blp_copy_vectors<uint4>(to, from, count, host);
    else
        blp_copy_vectors<unsigned>(to, from, count, host);
}

/* Vectors [first, end), counted from the first element of `slice`. */
static inline __device__ void blp_copy_slices(const struct blp_work *work,
                                              const struct blp_array *array, long slice, long first,
                                              long end, bool in)
{
    char *base = (char *)array->view.base;
    char *host = (char *)array->host + (slice * array->units + first) * work->vector_bytes;
    long slots = array->view.capacity * array->units;
    long at = (array->ring ? slice % array->view.capacity : slice) * array->units + first;
    at -= at >= slots ? slots : 0; /* no more slices than slots are copied at once */
    long run = end - first < slots - at ? end - first : slots - at;
    blp_copy_run(work, base + at * work->vector_bytes, host, run, in);
    if (run < end - first)
        blp_copy_run(work, base, host + run * work->vector_bytes, end - first - run, in);
}

/* Rows [first, end) of panels, counted from the first row of panel `slice`. */
static inline __device__ void blp_copy_panels(const struct blp_work *work,
                                              const struct blp_array *array, long slice, long first,
                                              long end, bool in)
{
    long width = array->width, host_pitch = array->host_pitch;
    long device_pitch = (long)array->view.pitch_bytes / work->vector_bytes;
    for (; first < end; first += array->units - first % array->units) {
        long panel = slice + first / array->units, row = first % array->units;
        long rows = array->units - row < end - first ? array->units - row : end - first;
        char *device = (char *)array->view.base +
                       panel % array->view.capacity * (long)array->view.stride_bytes +
                       row * device_pitch * work->vector_bytes;
        char *host = (char *)array->host + (panel * width + row * host_pitch) * work->vector_bytes;
        void *to = in ? device : host;
        const void *from = in ? host : device;
        long to_pitch = in ? device_pitch : host_pitch, from_pitch = in ? host_pitch : device_pitch;
        if (work->vector_bytes == 16)
            blp_copy_rows<uint4>(to, to_pitch, from, from_pitch, rows, width);
        else
            blp_copy_rows<unsigned>(to, to_pitch, from, from_pitch, rows, width);
    }
}

/* One piece of one array: its share of the group, less the first `done` units, at most `limit`.
 * Returns whether there are more. */
static inline __device__ bool blp_copy_share(const struct blp_work *work, int a,
                                             const struct blp_piece *piece, long done, long limit,
                                             bool in)
{
    const struct blp_array *array = &work->arrays[a];
    long first, end;
    blp_group(work, array, blp_group_in(piece, array), &first, &end);
    long units = (end - first) * array->units;
    long from = units * piece->piece / array->pieces + done;
    long to = units * (piece->piece + 1) / array->pieces;
    bool more = to - from > limit;
    to = more ? from + limit : to;
    if (from < to && array->split == DM_REGION_COLUMNS)
        blp_copy_panels(work, array, first, from, to, in);
    else if (from < to)
        blp_copy_slices(work, array, first, from, to, in);
    return more;
}

/* All threads of the block copy a piece; interleaved, a step of each array after the other. */
static inline __device__ void blp_copy_piece(const struct blp_work *work,
                                             const struct blp_piece *piece, bool in)
{
    enum dm_region_direction direction = in ? DM_REGION_TO : DM_REGION_FROM;
    if (piece->array >= 0) {
        blp_copy_share(work, piece->array, piece, 0, (long)(~0ul >> 1), in);
        return;
    }
    bool more = true;
    for (long step = 0; more; step++) {
        more = false;
        for (int a = 0; a < work->array_count; a++) {
            const struct blp_array *array = &work->arrays[a];
            if (!blp_takes_part(work, piece, a, direction))
                continue;
            long lanes = array->width < (long)blockDim.x ? blockDim.x / array->width : 1;
            more |= blp_copy_share(work, a, piece, step * BLP_LOADS * lanes, BLP_LOADS * lanes, in);
        }
    }
}

#endif
#endif
