/* ring.h: the ring buffer of an array: slice i lies in slot i mod capacity.
 *
 *     capacity 5, window of 3 slices, chunks of 1 iteration on 3 streams:
 *
 *     chunk 0   0 1 2 . .       chunk 3   5 . . 3 4       (slices in the slots they lie in; chunk 3
 *     chunk 1   . 1 2 3 .       chunk 4   5 6 . . 4        may overwrite slot 0, in which slice 0
 *     chunk 2   . . 2 3 4       ...                        was, when chunk 0 has been computed)
 *
 * Every round of the outer loop begins again with the loop's first slice. Source: Cui, 3.3. */
#ifndef COMMON_REGIONS_RING_H
#define COMMON_REGIONS_RING_H

#include "common/regions/chunks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ring {
    struct chunk_range used; /* slices that the loop touches */
    long capacity;           /* slots */
};

/* The fewest slots with which `streams` chunks can be in flight: streams * chunk size + length - 1,
 * and at most as many as there are slices in use. */
struct ring ring_make(const struct chunks *chunks, const struct dm_region_array *array,
                      int streams);

long ring_slot(const struct ring *ring, long slice);

/* The first slices of a range, as far as they lie side by side: up to the end of the ring. */
struct chunk_range ring_piece(const struct ring *ring, struct chunk_range slices);

/* What slices of a round replace in their slots: slices of the same or of the round before. */
enum { RING_SPANS = 3 };
struct ring_span {
    long round;
    struct chunk_range slices;
};

/* Writes the spans that the slices (at most `capacity`) of the round replace, and returns how many.
 * There are none where the slots were not used before. */
int ring_replaced(const struct ring *ring, long round, struct chunk_range slices,
                  struct ring_span spans[RING_SPANS]);

#ifdef __cplusplus
}
#endif
#endif
