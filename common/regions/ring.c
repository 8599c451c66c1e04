#include "common/regions/ring.h"

static long smaller(long a, long b)
{
    return a < b ? a : b;
}

struct ring ring_make(const struct chunks *chunks, const struct dm_region_array *array, int streams)
{
    struct ring ring = {.used = loop_window(chunks, array)};
    long window = array->split == DM_REGION_WHOLE ? 1 : array->length;
    long used = ring.used.end - ring.used.first;
    /* Compared before it is multiplied: a chunk may be as long as the loop. */
    ring.capacity =
        chunks->size > used / streams ? used : smaller(used, streams * chunks->size + window - 1);
    return ring;
}

long ring_slot(const struct ring *ring, long slice)
{
    return slice % ring->capacity;
}

struct chunk_range ring_piece(const struct ring *ring, struct chunk_range slices)
{
    long end_of_ring = slices.first + ring->capacity - ring_slot(ring, slices.first);
    return (struct chunk_range){slices.first, smaller(slices.end, end_of_ring)};
}

int ring_replaced(const struct ring *ring, long round, struct chunk_range slices,
                  struct ring_span spans[RING_SPANS])
{
    int count = 0;
    long lap =
        ring->used.first + ring->capacity; /* the first slice that replaces one of its round */
    if (slices.end > lap) {
        long first = slices.first > lap ? slices.first : lap;
        spans[count++] =
            (struct ring_span){round, {first - ring->capacity, slices.end - ring->capacity}};
        slices.end = first;
    }
    /* The others replace the last slices of the round before, beginning anywhere among these. */
    while (round > 0 && slices.first < slices.end) {
        long last = ring->used.end - 1;
        long back = (last - slices.first) % ring->capacity;
        long length = smaller(slices.end - slices.first, back + 1);
        spans[count++] = (struct ring_span){round - 1, {last - back, last - back + length}};
        slices.first += length;
    }
    return count;
}
