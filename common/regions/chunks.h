/* chunks.h: a loop cut into chunks of iterations, and which slices each chunk touches.
 *
 * All by arithmetic on numbers of chunks and slices, so that who waits for whom needs no tables. A
 * slice is copied in by the first chunk that touches it and copied out by the last one. */
#ifndef COMMON_REGIONS_CHUNKS_H
#define COMMON_REGIONS_CHUNKS_H

#include <datamotion/region.h>

#ifdef __cplusplus
extern "C" {
#endif

struct chunks {
    long begin, end; /* iterations of the loop */
    long size;       /* iterations of a chunk; the last one may have fewer */
    long count;
    bool chained; /* the kernels of chunks run one after the other: the region is ordered, or chunks
                     share slices of a scratch array */
};

/* Numbers first, first + 1, ..., end - 1; empty if first >= end. */
struct chunk_range {
    long first, end;
};

/* Chunks of `size` >= 1 iterations, of the whole loop at most. */
struct chunks chunks_make(const struct dm_region *region, long size);

/* Iterations of a chunk. */
struct chunk_range chunk_iterations(const struct chunks *chunks, long chunk);

/* Slices that a chunk touches, and those that the whole loop touches. */
struct chunk_range chunk_window(const struct chunks *chunks, const struct dm_region_array *array,
                                long chunk);
struct chunk_range loop_window(const struct chunks *chunks, const struct dm_region_array *array);

/* The first and the last chunk that touch a slice of the loop's window. */
long first_chunk_of(const struct chunks *chunks, const struct dm_region_array *array, long slice);
long last_chunk_of(const struct chunks *chunks, const struct dm_region_array *array, long slice);

/* Slices that this chunk is the first, or the last, to touch. */
struct chunk_range chunk_new_slices(const struct chunks *chunks,
                                    const struct dm_region_array *array, long chunk);
struct chunk_range chunk_finished_slices(const struct chunks *chunks,
                                         const struct dm_region_array *array, long chunk);

#ifdef __cplusplus
}
#endif
#endif
