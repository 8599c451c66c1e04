#include "region.h"

#include "common/harness/exit.h"

struct region region_make(const char *name, long begin, long end, region_launch *launch,
                          const void *context)
{
    return (struct region){.name = name,
                           .begin = begin,
                           .end = end,
                           .launch = launch,
                           .context = context,
                           .rounds = 1,
                           .swap = {REGION_NO_SWAP, REGION_NO_SWAP}};
}

int region_add(struct region *region, struct region_array array)
{
    if (region->array_count == REGION_ARRAYS)
        fail("region %s: array %s is one too many, %d arrays are possible", region->name,
             array.name, REGION_ARRAYS);
    region->arrays[region->array_count] = array;
    return region->array_count++;
}

void *region_host(const struct region *region, int array, long round)
{
    if (round % 2 && array == region->swap[0])
        array = region->swap[1];
    else if (round % 2 && array == region->swap[1])
        array = region->swap[0];
    return region->arrays[array].host;
}

void region_window(const struct region_array *array, long begin, long end, long *first,
                   long *last_end)
{
    bool whole = array->split == REGION_WHOLE;
    *first = whole ? 0 : begin + array->offset;
    *last_end = whole ? 1 : end - 1 + array->offset + array->length;
}

size_t region_slice_size(const struct region_array *array)
{
    return array->slice_bytes * array->rows;
}

size_t region_bytes(const struct region *region, enum region_direction direction)
{
    size_t bytes = 0;
    for (int a = 0; a < region->array_count; a++) {
        const struct region_array *array = &region->arrays[a];
        if (!(array->direction & direction))
            continue;
        long first, end;
        region_window(array, region->begin, region->end, &first, &end);
        bytes += (size_t)(end - first) * region_slice_size(array);
    }
    return bytes;
}

size_t region_footprint(const struct region *region)
{
    size_t bytes = 0;
    for (int a = 0; a < region->array_count; a++)
        bytes += (size_t)region->arrays[a].slices * region_slice_size(&region->arrays[a]);
    return bytes;
}

struct slices region_whole_view(const struct region_array *array, void *device, size_t pitch_bytes)
{
    return (struct slices){.base = device,
                           .stride = array->slice_bytes / sizeof(float),
                           .pitch = pitch_bytes / sizeof(float),
                           .first = 0,
                           .capacity = array->slices};
}
