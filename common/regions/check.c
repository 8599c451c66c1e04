/* check.c: whether a region makes sense. */
#include <stdint.h>

#include "common/error.h"

#include <datamotion/region.h>

static bool is_written(const struct dm_region_array *array)
{
    return array->direction & DM_REGION_FROM;
}

/* Bytes of host memory from the array's first to its last; false if size_t does not hold them, or
 * those of the array on the device. */
static bool host_span(const struct dm_region_array *array, size_t *bytes)
{
    size_t row, above, whole;
    return !__builtin_mul_overflow((size_t)array->slices, array->slice_bytes, &row) &&
           !__builtin_mul_overflow(row, array->rows, &whole) &&
           !__builtin_mul_overflow(array->rows - 1, array->pitch_bytes, &above) &&
           !__builtin_add_overflow(above, row, bytes) && *bytes <= SIZE_MAX / 2;
}

static enum dm_status check_shape(const struct dm_region_array *array)
{
    const char *name = array->name;
    size_t bytes;
    if (array->split != DM_REGION_WHOLE && array->split != DM_REGION_ROWS &&
        array->split != DM_REGION_COLUMNS)
        return dm_fail(DM_INVALID, "array %s: %d is no way to split an array", name,
                       (int)array->split);
    if (array->direction < DM_REGION_SCRATCH || array->direction > DM_REGION_TOFROM)
        return dm_fail(DM_INVALID, "array %s: %d is no direction of copies", name,
                       (int)array->direction);
    if (array->slices < 1)
        return dm_fail(DM_INVALID, "array %s: it has %ld slices, at least 1 is needed", name,
                       array->slices);
    if (array->split == DM_REGION_WHOLE && array->slices != 1)
        return dm_fail(DM_INVALID, "array %s: it is not split but has %ld slices, 1 is needed",
                       name, array->slices);
    if (array->slice_bytes == 0)
        return dm_fail(DM_INVALID, "array %s: its slices have no bytes", name);
    if (array->split == DM_REGION_COLUMNS ? array->rows < 1 : array->rows != 1)
        return dm_fail(DM_INVALID, "array %s: it has %zu rows, %s is needed", name, array->rows,
                       array->split == DM_REGION_COLUMNS ? "at least 1"
                                                         : "1 (only columns have more)");
    if (array->split != DM_REGION_COLUMNS && array->pitch_bytes != 0)
        return dm_fail(DM_INVALID,
                       "array %s: a pitch of %zu bytes, 0 is needed (only columns have one)", name,
                       array->pitch_bytes);
    if (!host_span(array, &bytes))
        return dm_fail(DM_INVALID, "array %s: its size does not fit into an address", name);
    if (array->split != DM_REGION_COLUMNS)
        return DM_OK;
    size_t row_bytes = (size_t)array->slices * array->slice_bytes;
    if (array->pitch_bytes < row_bytes)
        return dm_fail(DM_INVALID, "array %s: a pitch of %zu bytes, at least %zu is needed", name,
                       array->pitch_bytes, row_bytes);
    return DM_OK;
}

static enum dm_status check_window(const struct dm_region_array *array, long begin, long end)
{
    const char *name = array->name;
    if (array->split == DM_REGION_WHOLE)
        return DM_OK;
    if (array->length < 1)
        return dm_fail(DM_INVALID,
                       "array %s: the window of an iteration has %ld slices, at least 1 is needed",
                       name, array->length);
    if (is_written(array) && array->length != 1)
        return dm_fail(DM_INVALID,
                       "array %s: the results of neighbouring iterations overlap, as each has %ld "
                       "slices; 1 is needed",
                       name, array->length);
    long first, last_end;
    if (__builtin_add_overflow(begin, array->offset, &first) ||
        __builtin_add_overflow(end - 1, array->offset, &last_end) ||
        __builtin_add_overflow(last_end, array->length, &last_end))
        return dm_fail(DM_INVALID, "array %s: the window of iterations %ld to %ld is out of range",
                       name, begin, end - 1);
    if (first < 0)
        return dm_fail(DM_INVALID, "array %s: iteration %ld needs slice %ld, the first slice is 0",
                       name, begin, first);
    if (last_end > array->slices)
        return dm_fail(
            DM_INVALID,
            "array %s: iteration %ld needs slice %ld, at least %ld slices are needed and it "
            "has %ld",
            name, end - 1, last_end - 1, last_end, array->slices);
    return DM_OK;
}

static enum dm_status check_host(const struct dm_region_array *array)
{
    if (array->direction == DM_REGION_SCRATCH)
        return array->host
                   ? dm_fail(DM_INVALID, "array %s: it is scratch, which has no host memory",
                             array->name)
                   : DM_OK;
    if (!array->host)
        return dm_fail(DM_INVALID, "array %s: it has no host memory", array->name);
    return DM_OK;
}

/* Of arrays of columns, what lies between the columns counts as theirs. */
static bool overlap(const struct dm_region_array *a, const struct dm_region_array *b)
{
    if (!a->host || !b->host || !(is_written(a) || is_written(b)))
        return false;
    size_t bytes_a = 0, bytes_b = 0;
    host_span(a, &bytes_a);
    host_span(b, &bytes_b);
    uintptr_t at_a = (uintptr_t)a->host, at_b = (uintptr_t)b->host;
    return at_a < at_b ? at_b - at_a < bytes_a : at_a - at_b < bytes_b;
}

static enum dm_status check_swap(const struct dm_region *region)
{
    int input = region->swap[0], output = region->swap[1];
    if (input == DM_REGION_NO_SWAP && output == DM_REGION_NO_SWAP)
        return DM_OK;
    if (input < 0 || input >= region->array_count || output < 0 || output >= region->array_count)
        return dm_fail(DM_INVALID,
                       "region %s: arrays %d and %d cannot be swapped, there are %d arrays",
                       region->name, input, output, region->array_count);
    const struct dm_region_array *a = &region->arrays[input], *b = &region->arrays[output];
    if (a->direction != DM_REGION_TO || b->direction != DM_REGION_FROM)
        return dm_fail(
            DM_INVALID,
            "arrays %s and %s cannot be swapped: an input and a result are needed, in this "
            "order",
            a->name, b->name);
    if (a->split != b->split || a->slices != b->slices || a->slice_bytes != b->slice_bytes ||
        a->rows != b->rows || a->pitch_bytes != b->pitch_bytes)
        return dm_fail(
            DM_INVALID,
            "arrays %s and %s cannot be swapped: the same split, slices, rows and pitch are "
            "needed",
            a->name, b->name);
    return DM_OK;
}

static enum dm_status check_loop(const struct dm_region *region)
{
    if (region->begin >= region->end)
        return dm_fail(DM_INVALID, "region %s: its loop from %ld to %ld has no iterations",
                       region->name, region->begin, region->end);
    if (region->end <= 0 || region->begin < 0)
        return dm_fail(DM_INVALID, "region %s: its loop begins at %ld, at least 0 is needed",
                       region->name, region->begin);
    if (region->rounds < 1)
        return dm_fail(DM_INVALID, "region %s: %ld rounds, at least 1 is needed", region->name,
                       region->rounds);
    if (region->array_count < 1 || region->array_count > DM_REGION_ARRAYS)
        return dm_fail(DM_INVALID, "region %s: %d arrays, 1 to %d are possible", region->name,
                       region->array_count, DM_REGION_ARRAYS);
    if (!region->launch)
        return dm_fail(DM_INVALID, "region %s: it has no launch function", region->name);
    return DM_OK;
}

static enum dm_status check_overlaps(const struct dm_region *region, int array)
{
    for (int other = 0; other < array; other++)
        if (overlap(&region->arrays[array], &region->arrays[other]))
            return dm_fail(DM_INVALID,
                           "arrays %s and %s: their host memory overlaps and one is written",
                           region->arrays[other].name, region->arrays[array].name);
    return DM_OK;
}

enum dm_status dm_region_check(const struct dm_region *region)
{
    TRY(check_loop(region));
    for (int a = 0; a < region->array_count; a++) {
        TRY(check_shape(&region->arrays[a]));
        TRY(check_window(&region->arrays[a], region->begin, region->end));
        TRY(check_host(&region->arrays[a]));
        TRY(check_overlaps(region, a));
    }
    return check_swap(region);
}
