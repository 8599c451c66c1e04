#include "common/regions/copies_plan.h"

size_t copies_ring_bytes(const struct dm_region *region, long chunk_size, int streams)
{
    struct chunks chunks = chunks_make(region, chunk_size);
    size_t bytes = 0;
    for (int a = 0; a < region->array_count; a++) {
        const struct dm_region_array *array = &region->arrays[a];
        bytes += copies_buffer_bytes(array, ring_make(&chunks, array, streams).capacity);
    }
    return bytes;
}

size_t copies_minimum_bytes(const struct dm_region *region)
{
    return copies_ring_bytes(region, 1, 1);
}

/* The largest chunk size up to `limit` iterations, >= 1, whose rings fit into the bytes; 0 if none
 * does. */
static long largest_chunk(const struct dm_region *region, size_t bytes, long limit, int streams)
{
    long fits = 0, too_large = limit + 1;
    while (too_large - fits > 1) {
        long middle = fits + (too_large - fits) / 2;
        if (copies_ring_bytes(region, middle, streams) <= bytes)
            fits = middle;
        else
            too_large = middle;
    }
    return fits;
}

bool copies_fit(const struct dm_region *region, size_t limit, long *chunk_size, int *streams)
{
    while (*streams > 2 && copies_ring_bytes(region, *chunk_size, *streams) > limit)
        (*streams)--;
    long fits = largest_chunk(region, limit, *chunk_size, *streams);
    if (fits == 0 && *streams == 2) {
        *streams = 1;
        fits = largest_chunk(region, limit, 1, 1);
    }
    *chunk_size = fits;
    return fits > 0;
}
