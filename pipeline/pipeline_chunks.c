#include "pipeline_chunks.h"

static long smaller(long a, long b)
{
    return a < b ? a : b;
}

static long larger(long a, long b)
{
    return a > b ? a : b;
}

struct pipeline_chunks pipeline_chunks_make(const struct region *region, long size)
{
    long iterations = region->end - region->begin;
    size = smaller(size, iterations);
    return (struct pipeline_chunks){region->begin, region->end, size,
                                    iterations / size + (iterations % size != 0)};
}

struct pipeline_range pipeline_chunk(const struct pipeline_chunks *chunks, long chunk)
{
    long first = chunks->begin + chunk * chunks->size;
    return (struct pipeline_range){first, smaller(first + chunks->size, chunks->end)};
}

struct pipeline_range pipeline_window(const struct pipeline_chunks *chunks,
                                      const struct region_array *array, long chunk)
{
    struct pipeline_range iterations = pipeline_chunk(chunks, chunk), window;
    region_window(array, iterations.first, iterations.end, &window.first, &window.end);
    return window;
}

struct pipeline_range pipeline_window_of_loop(const struct pipeline_chunks *chunks,
                                              const struct region_array *array)
{
    struct pipeline_range window;
    region_window(array, chunks->begin, chunks->end, &window.first, &window.end);
    return window;
}

/* Iteration i touches [i + offset, i + offset + length). */
long pipeline_first_chunk(const struct pipeline_chunks *chunks, const struct region_array *array,
                          long slice)
{
    if (array->split == REGION_WHOLE)
        return 0;
    long iteration = larger(chunks->begin, slice - array->offset - array->length + 1);
    return (iteration - chunks->begin) / chunks->size;
}

long pipeline_last_chunk(const struct pipeline_chunks *chunks, const struct region_array *array,
                         long slice)
{
    if (array->split == REGION_WHOLE)
        return chunks->count - 1;
    long iteration = smaller(chunks->end - 1, slice - array->offset);
    return (iteration - chunks->begin) / chunks->size;
}

struct pipeline_range pipeline_new_slices(const struct pipeline_chunks *chunks,
                                          const struct region_array *array, long chunk)
{
    struct pipeline_range window = pipeline_window(chunks, array, chunk);
    if (chunk > 0)
        window.first = larger(window.first, pipeline_window(chunks, array, chunk - 1).end);
    return window;
}

struct pipeline_range pipeline_finished_slices(const struct pipeline_chunks *chunks,
                                               const struct region_array *array, long chunk)
{
    struct pipeline_range window = pipeline_window(chunks, array, chunk);
    if (chunk + 1 < chunks->count)
        window.end = smaller(window.end, pipeline_window(chunks, array, chunk + 1).first);
    return window;
}
