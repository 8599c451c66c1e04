#include <datamotion/region.h>

struct dm_region dm_region_make(const char *name, long begin, long end, dm_region_launch *launch,
                                const void *context)
{
    return (struct dm_region){.name = name,
                              .begin = begin,
                              .end = end,
                              .launch = launch,
                              .context = context,
                              .rounds = 1,
                              .swap = {DM_REGION_NO_SWAP, DM_REGION_NO_SWAP}};
}

int dm_region_add(struct dm_region *region, struct dm_region_array array)
{
    if (region->array_count < DM_REGION_ARRAYS)
        region->arrays[region->array_count] = array;
    return region->array_count++;
}

void *dm_region_host(const struct dm_region *region, int array, long round)
{
    if (round % 2 && array == region->swap[0])
        array = region->swap[1];
    else if (round % 2 && array == region->swap[1])
        array = region->swap[0];
    return region->arrays[array].host;
}

void dm_region_window(const struct dm_region_array *array, long begin, long end, long *first,
                      long *last_end)
{
    bool whole = array->split == DM_REGION_WHOLE;
    *first = whole ? 0 : begin + array->offset;
    *last_end = whole ? 1 : end - 1 + array->offset + array->length;
}

size_t dm_region_slice_size(const struct dm_region_array *array)
{
    return array->slice_bytes * array->rows;
}

size_t dm_region_bytes(const struct dm_region *region, enum dm_region_direction direction)
{
    size_t bytes = 0;
    for (int a = 0; a < region->array_count; a++) {
        const struct dm_region_array *array = &region->arrays[a];
        if (!(array->direction & direction))
            continue;
        long first, end;
        dm_region_window(array, region->begin, region->end, &first, &end);
        bytes += (size_t)(end - first) * dm_region_slice_size(array);
    }
    return bytes;
}

size_t dm_region_footprint(const struct dm_region *region)
{
    size_t bytes = 0;
    for (int a = 0; a < region->array_count; a++)
        bytes += (size_t)region->arrays[a].slices * dm_region_slice_size(&region->arrays[a]);
    return bytes;
}

struct dm_slices dm_region_whole_view(const struct dm_region_array *array, void *device,
                                      size_t pitch_bytes)
{
    return (struct dm_slices){.base = device,
                              .stride_bytes = array->slice_bytes,
                              .pitch_bytes = pitch_bytes,
                              .first = 0,
                              .capacity = array->slices};
}
