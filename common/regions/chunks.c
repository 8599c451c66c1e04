#include "common/regions/chunks.h"

static long smaller(long a, long b)
{
    return a < b ? a : b;
}

static long larger(long a, long b)
{
    return a > b ? a : b;
}

/* Chunks use a scratch array together if one's slices are another's, too. */
static bool is_chained(const struct dm_region *region)
{
    bool chained = region->ordered;
    for (int a = 0; a < region->array_count; a++) {
        const struct dm_region_array *array = &region->arrays[a];
        chained |= array->direction == DM_REGION_SCRATCH &&
                   (array->split == DM_REGION_WHOLE || array->length > 1);
    }
    return chained;
}

struct chunks chunks_make(const struct dm_region *region, long size)
{
    const long iterations = region->end - region->begin;
    size = smaller(size, iterations);
    return (struct chunks){region->begin, region->end, size,
                           iterations / size + (iterations % size != 0), is_chained(region)};
}

struct chunk_range chunk_iterations(const struct chunks *chunks, long chunk)
{
    long first = chunks->begin + chunk * chunks->size;
    return (struct chunk_range){first, smaller(first + chunks->size, chunks->end)};
}

struct chunk_range chunk_window(const struct chunks *chunks, const struct dm_region_array *array,
                                long chunk)
{
    struct chunk_range iterations = chunk_iterations(chunks, chunk), window;
    dm_region_window(array, iterations.first, iterations.end, &window.first, &window.end);
    return window;
}

struct chunk_range loop_window(const struct chunks *chunks, const struct dm_region_array *array)
{
    struct chunk_range window;
    dm_region_window(array, chunks->begin, chunks->end, &window.first, &window.end);
    return window;
}

/* Iteration i touches [i + offset, i + offset + length). */
long first_chunk_of(const struct chunks *chunks, const struct dm_region_array *array, long slice)
{
    if (array->split == DM_REGION_WHOLE)
        return 0;
    long iteration = larger(chunks->begin, slice - array->offset - array->length + 1);
    return (iteration - chunks->begin) / chunks->size;
}

long last_chunk_of(const struct chunks *chunks, const struct dm_region_array *array, long slice)
{
    if (array->split == DM_REGION_WHOLE)
        return chunks->count - 1;
    long iteration = smaller(chunks->end - 1, slice - array->offset);
    return (iteration - chunks->begin) / chunks->size;
}

struct chunk_range chunk_new_slices(const struct chunks *chunks,
                                    const struct dm_region_array *array, long chunk)
{
    struct chunk_range window = chunk_window(chunks, array, chunk);
    if (chunk > 0)
        window.first = larger(window.first, chunk_window(chunks, array, chunk - 1).end);
    return window;
}

struct chunk_range chunk_finished_slices(const struct chunks *chunks,
                                         const struct dm_region_array *array, long chunk)
{
    struct chunk_range window = chunk_window(chunks, array, chunk);
    if (chunk + 1 < chunks->count)
        window.end = smaller(window.end, chunk_window(chunks, array, chunk + 1).first);
    return window;
}
