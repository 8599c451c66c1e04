/* region_complaint.c: whether a region makes sense. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "region.h"

static _Thread_local char text[400];

static const char *say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static const char *say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return text;
}

static bool is_written(const struct region_array *array)
{
    return array->direction & REGION_FROM;
}

/* Bytes of host memory from the array's first to its last; false if size_t does not hold them, or
 * those of the array on the device. */
static bool host_span(const struct region_array *array, size_t *bytes)
{
    size_t row, above, whole;
    return !__builtin_mul_overflow((size_t)array->slices, array->slice_bytes, &row) &&
           !__builtin_mul_overflow(row, array->rows, &whole) &&
           !__builtin_mul_overflow(array->rows - 1, array->pitch_bytes, &above) &&
           !__builtin_add_overflow(above, row, bytes) && *bytes <= SIZE_MAX / 2;
}

static const char *shape_complaint(const struct region_array *array)
{
    const char *name = array->name;
    size_t bytes;
    if (array->split != REGION_WHOLE && array->split != REGION_ROWS &&
        array->split != REGION_COLUMNS)
        return say("array %s: %d is no way to split an array", name, (int)array->split);
    if (array->direction < REGION_SCRATCH || array->direction > REGION_TOFROM)
        return say("array %s: %d is no direction of copies", name, (int)array->direction);
    if (array->slices < 1)
        return say("array %s: it has %ld slices, at least 1 is needed", name, array->slices);
    if (array->split == REGION_WHOLE && array->slices != 1)
        return say("array %s: it is not split but has %ld slices, 1 is needed", name,
                   array->slices);
    if (array->slice_bytes == 0 || array->slice_bytes % sizeof(float))
        return say("array %s: a slice has %zu bytes, a multiple of %zu above 0 is needed", name,
                   array->slice_bytes, sizeof(float));
    if (array->split == REGION_COLUMNS ? array->rows < 1 : array->rows != 1)
        return say("array %s: it has %zu rows, %s is needed", name, array->rows,
                   array->split == REGION_COLUMNS ? "at least 1" : "1 (only columns have more)");
    if (array->split != REGION_COLUMNS && array->pitch_bytes != 0)
        return say("array %s: a pitch of %zu bytes, 0 is needed (only columns have one)", name,
                   array->pitch_bytes);
    if (!host_span(array, &bytes))
        return say("array %s: its size does not fit into an address", name);
    if (array->split != REGION_COLUMNS)
        return NULL;
    size_t row_bytes = (size_t)array->slices * array->slice_bytes;
    if (array->pitch_bytes < row_bytes || array->pitch_bytes % sizeof(float))
        return say("array %s: a pitch of %zu bytes, a multiple of %zu of at least %zu is needed",
                   name, array->pitch_bytes, sizeof(float), row_bytes);
    return NULL;
}

static const char *window_complaint(const struct region_array *array, long begin, long end)
{
    const char *name = array->name;
    if (array->split == REGION_WHOLE)
        return NULL;
    if (array->length < 1)
        return say("array %s: the window of an iteration has %ld slices, at least 1 is needed",
                   name, array->length);
    if (is_written(array) && array->length != 1)
        return say("array %s: the results of neighbouring iterations overlap, as each has %ld "
                   "slices; 1 is needed",
                   name, array->length);
    long first, last_end;
    if (__builtin_add_overflow(begin, array->offset, &first) ||
        __builtin_add_overflow(end - 1, array->offset, &last_end) ||
        __builtin_add_overflow(last_end, array->length, &last_end))
        return say("array %s: the window of iterations %ld to %ld is out of range", name, begin,
                   end - 1);
    if (first < 0)
        return say("array %s: iteration %ld needs slice %ld, the first slice is 0", name, begin,
                   first);
    if (last_end > array->slices)
        return say("array %s: iteration %ld needs slice %ld, at least %ld slices are needed and it "
                   "has %ld",
                   name, end - 1, last_end - 1, last_end, array->slices);
    return NULL;
}

static const char *host_complaint(const struct region_array *array)
{
    if (array->direction == REGION_SCRATCH)
        return array->host ? say("array %s: it is scratch, which has no host memory", array->name)
                           : NULL;
    if (!array->host)
        return say("array %s: it has no host memory", array->name);
    if ((uintptr_t)array->host % sizeof(float))
        return say("array %s: its host memory is not aligned to %zu bytes", array->name,
                   sizeof(float));
    return NULL;
}

/* Of arrays of columns, what lies between the columns counts as theirs. */
static bool overlap(const struct region_array *a, const struct region_array *b)
{
    if (!a->host || !b->host || !(is_written(a) || is_written(b)))
        return false;
    size_t bytes_a = 0, bytes_b = 0;
    host_span(a, &bytes_a);
    host_span(b, &bytes_b);
    uintptr_t at_a = (uintptr_t)a->host, at_b = (uintptr_t)b->host;
    return at_a < at_b ? at_b - at_a < bytes_a : at_a - at_b < bytes_b;
}

static const char *swap_complaint(const struct region *region)
{
    int input = region->swap[0], output = region->swap[1];
    if (input == REGION_NO_SWAP && output == REGION_NO_SWAP)
        return NULL;
    if (input < 0 || input >= region->array_count || output < 0 || output >= region->array_count)
        return say("region %s: arrays %d and %d cannot be swapped, there are %d arrays",
                   region->name, input, output, region->array_count);
    const struct region_array *a = &region->arrays[input], *b = &region->arrays[output];
    if (a->direction != REGION_TO || b->direction != REGION_FROM)
        return say("arrays %s and %s cannot be swapped: an input and a result are needed, in this "
                   "order",
                   a->name, b->name);
    if (a->split != b->split || a->slices != b->slices || a->slice_bytes != b->slice_bytes ||
        a->rows != b->rows || a->pitch_bytes != b->pitch_bytes)
        return say("arrays %s and %s cannot be swapped: the same split, slices, rows and pitch are "
                   "needed",
                   a->name, b->name);
    return NULL;
}

static const char *loop_complaint(const struct region *region)
{
    if (region->begin >= region->end)
        return say("region %s: its loop from %ld to %ld has no iterations", region->name,
                   region->begin, region->end);
    if (region->end <= 0 || region->begin < 0)
        return say("region %s: its loop begins at %ld, at least 0 is needed", region->name,
                   region->begin);
    if (region->rounds < 1)
        return say("region %s: %ld rounds, at least 1 is needed", region->name, region->rounds);
    if (region->array_count < 1 || region->array_count > REGION_ARRAYS)
        return say("region %s: %d arrays, 1 to %d are possible", region->name, region->array_count,
                   REGION_ARRAYS);
    if (!region->launch)
        return say("region %s: it has no launch function", region->name);
    return NULL;
}

const char *region_complaint(const struct region *region)
{
    const char *complaint = loop_complaint(region);
    for (int a = 0; !complaint && a < region->array_count; a++) {
        const struct region_array *array = &region->arrays[a];
        complaint = shape_complaint(array);
        if (!complaint)
            complaint = window_complaint(array, region->begin, region->end);
        if (!complaint)
            complaint = host_complaint(array);
        for (int b = 0; !complaint && b < a; b++)
            if (overlap(array, &region->arrays[b]))
                complaint = say("arrays %s and %s: their host memory overlaps and one is written",
                                region->arrays[b].name, array->name);
    }
    return complaint ? complaint : swap_complaint(region);
}
