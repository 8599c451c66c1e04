/* component_heap.h: memory for allocatable components within a part of a coarray: first fit, with
 * neighbours that are free made one. Each block has a header of one cache line before it. */
#ifndef COARRAYS_GFORTRAN_COMPONENT_HEAP_H
#define COARRAYS_GFORTRAN_COMPONENT_HEAP_H

#include <stdbool.h>
#include <stddef.h>

struct component_block;

struct component_heap {
    char *start;
    size_t bytes;
    struct component_block *free; /* a list */
};

/* `memory` is 64-byte aligned. Fewer than 128 bytes are a heap that is always full. */
void component_heap_start(struct component_heap *heap, void *memory, size_t bytes);

/* 64-byte aligned, of any content; NULL if no free block is large enough. */
void *component_heap_allocate(struct component_heap *heap, size_t bytes);

/* Does nothing and returns false if no block begins at this address, whatever it is. */
bool component_heap_free(struct component_heap *heap, const void *address);

#endif
