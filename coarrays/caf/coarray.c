#include <stdlib.h>

#include "agree.h"
#include "error.h"
#include "memory.h"
#include "segments.h"

/* Coarrays by their number: the same on all images, because all allocate and free in the same
 * order and the lowest free number is taken. */
static struct caf_coarray **numbered;
static uint32_t numbers, lowest_free;

/* Bytes that the program has asked for and not freed, what CAF_MEMORY limits. */
static size_t held_bytes;

uint32_t coarray_number(const struct caf_coarray *coarray)
{
    return coarray->number;
}

struct caf_coarray *coarray_of_number(uint32_t number)
{
    return number < numbers ? numbered[number] : NULL;
}

static bool reserve_number(void)
{
    while (lowest_free < numbers && numbered[lowest_free])
        lowest_free++;
    if (lowest_free < numbers)
        return true;
    uint32_t more = numbers ? 2 * numbers : 64;
    struct caf_coarray **table = realloc(numbered, more * sizeof *table);
    if (!table)
        return false;
    for (uint32_t i = numbers; i < more; i++)
        table[i] = NULL;
    numbered = table;
    numbers = more;
    return true;
}

static void enter(struct caf_coarray *coarray)
{
    coarray->number = lowest_free;
    numbered[lowest_free] = coarray;
    held_bytes += coarray->bytes;
}

static void forget(struct caf_coarray *coarray)
{
    numbered[coarray->number] = NULL;
    if (coarray->number < lowest_free)
        lowest_free = coarray->number;
    held_bytes -= coarray->bytes;
    free(coarray);
}

void coarrays_forget(void)
{
    for (uint32_t i = 0; i < numbers; i++)
        if (numbered[i])
            forget(numbered[i]);
    free(numbered);
    numbered = NULL;
    numbers = lowest_free = 0;
}

/* ---- allocation ---- */

/* What this image alone can know. */
static int check_request(size_t bytes, enum caf_kind kind, const struct caf_coarray *record)
{
    if (kind != CAF_DATA)
        return caf_error(CAF_BAD_ARGUMENT, "ALLOCATE: image %d asks for the unknown kind %d",
                         runtime.image, (int)kind);
    if (bytes > PTRDIFF_MAX / 2)
        return caf_error(CAF_NO_MEMORY, "ALLOCATE: image %d asks for %zu bytes", runtime.image,
                         bytes);
    if (runtime.memory_limit && bytes > runtime.memory_limit - held_bytes)
        return caf_error(CAF_NO_MEMORY,
                         "ALLOCATE: image %d cannot have %zu bytes: CAF_MEMORY allows %zu, %zu are "
                         "taken",
                         runtime.image, bytes, runtime.memory_limit, held_bytes);
    if (!record || !reserve_number())
        return caf_error(CAF_NO_MEMORY, "ALLOCATE: no memory on image %d", runtime.image);
    return CAF_OK;
}

/* Image 1 may be the one that is wrong, but nobody can tell. */
static int different_sizes(size_t bytes)
{
    uint64_t first = bytes;
    int code = agree_first(&first);
    if (!code && bytes != first)
        code = caf_error(CAF_BAD_ARGUMENT, "ALLOCATE: image %d asks for %zu bytes, image 1 for %zu",
                         runtime.image, bytes, (size_t)first);
    return agree(code);
}

static int find_room(struct caf_coarray *coarray)
{
    int code = segments_take(coarray->bytes, &coarray->segment, &coarray->offset);
    if (code)
        return code;
    coarray->part = (char **)(coarray + 1);
    for (int place = 0; place < runtime.near_count; place++)
        coarray->part[place] = (char *)coarray->segment->shared.part[place] + coarray->offset;
    enter(coarray);
    return CAF_OK;
}

int caf_allocate(struct caf_coarray **coarray, size_t bytes, enum caf_kind kind, void **memory)
{
    bool same;
    int code = caf_sync_all();
    if (code)
        return code;
    caf_statement = "ALLOCATE";
    struct caf_coarray *record =
        calloc(1, sizeof *record + (size_t)runtime.near_count * sizeof *record->part);
    code = agree_same(check_request(bytes, kind, record), bytes, &same);
    if (!code && !same)
        code = different_sizes(bytes);
    if (!code) {
        record->bytes = bytes;
        record->kind = kind;
        code = find_room(record);
    }
    if (code) {
        free(record);
        return code;
    }
    *coarray = record;
    *memory = caf_memory(record);
    return caf_sync_all();
}

int caf_free(struct caf_coarray *coarray)
{
    bool same;
    int code = caf_sync_all();
    if (code)
        return code;
    caf_statement = "DEALLOCATE";
    if (!coarray)
        code = caf_error(CAF_BAD_ARGUMENT, "DEALLOCATE: image %d names no coarray", runtime.image);
    code = agree_same(code, coarray ? coarray->number : 0, &same);
    if (!code && !same)
        code = caf_error(CAF_BAD_ARGUMENT, "DEALLOCATE: not all images name the same coarray");
    if (code)
        return code;
    code = segments_give(coarray->segment, coarray->bytes, coarray->offset);
    forget(coarray);
    return code;
}

/* ---- questions ---- */

size_t caf_size(const struct caf_coarray *coarray)
{
    return coarray->bytes;
}

void *caf_memory(const struct caf_coarray *coarray)
{
    return near_address(coarray, runtime.image, 0);
}

void *caf_pointer(const struct caf_coarray *coarray, int image)
{
    if (!is_image(image) || runtime.node_of[image] != runtime.node)
        return NULL;
    return near_address(coarray, image, 0);
}
