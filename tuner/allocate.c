#include "allocate.h"

#include <stdlib.h>
#include <string.h>

#include "common/error.h"

void *allocate(size_t count, size_t element_bytes)
{
    void *memory = calloc(count ? count : 1, element_bytes);
    if (!memory)
        error_no_memory(count * element_bytes);
    return memory;
}

void *allocate_copy(const void *source, size_t count, size_t element_bytes)
{
    void *copy = allocate(count, element_bytes);
    if (copy && count)
        memcpy(copy, source, count * element_bytes);
    return copy;
}
