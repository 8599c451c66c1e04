/* pipeline_chunks.h: a loop cut into chunks of iterations, and which slices each chunk touches.
 *
 * All by arithmetic on numbers of chunks and slices, so that who waits for whom needs no tables. A
 * slice is copied in by the first chunk that touches it and copied out by the last one. */
#ifndef PIPELINE_CHUNKS_H
#define PIPELINE_CHUNKS_H

#include "common/region.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pipeline_chunks {
    long begin, end; /* iterations of the loop */
    long size;       /* iterations of a chunk; the last one may have fewer */
    long count;
};

/* Numbers first, first + 1, ..., end - 1; empty if first >= end. */
struct pipeline_range {
    long first, end;
};

/* Chunks of `size` >= 1 iterations, of the whole loop at most. */
struct pipeline_chunks pipeline_chunks_make(const struct region *region, long size);

/* Iterations of a chunk. */
struct pipeline_range pipeline_chunk(const struct pipeline_chunks *chunks, long chunk);

/* Slices that a chunk touches, and those that the whole loop touches. */
struct pipeline_range pipeline_window(const struct pipeline_chunks *chunks,
                                      const struct region_array *array, long chunk);
struct pipeline_range pipeline_window_of_loop(const struct pipeline_chunks *chunks,
                                              const struct region_array *array);

/* The first and the last chunk that touch a slice of the loop's window. */
long pipeline_first_chunk(const struct pipeline_chunks *chunks, const struct region_array *array,
                          long slice);
long pipeline_last_chunk(const struct pipeline_chunks *chunks, const struct region_array *array,
                         long slice);

/* Slices that this chunk is the first, or the last, to touch. */
struct pipeline_range pipeline_new_slices(const struct pipeline_chunks *chunks,
                                          const struct region_array *array, long chunk);
struct pipeline_range pipeline_finished_slices(const struct pipeline_chunks *chunks,
                                               const struct region_array *array, long chunk);

#ifdef __cplusplus
}
#endif
#endif
