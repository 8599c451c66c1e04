#include "component_heap.h"

#include <stdint.h>

enum { LINE = 64 };

/* Marks tell a header from other data; with the address in them a copy of a header is none. */
static const uint64_t USED = 0x75736564626c6b31, FREE = 0x66726565626c6b31;

struct component_block {
    _Alignas(LINE) uint64_t mark;
    size_t bytes;                            /* of the block with this header */
    size_t bytes_before;                     /* of the block that ends here; 0: none */
    struct component_block *next, *previous; /* of the list, if free */
};
_Static_assert(sizeof(struct component_block) == LINE, "blocks begin at cache lines");

static uint64_t mark(const struct component_block *block, uint64_t kind)
{
    return kind ^ (uintptr_t)block;
}

static struct component_block *at(struct component_block *block, ptrdiff_t distance)
{
    return (struct component_block *)((char *)block + distance);
}

/* NULL at the end of the heap. */
static struct component_block *following(const struct component_heap *heap,
                                         struct component_block *block)
{
    struct component_block *next = at(block, (ptrdiff_t)block->bytes);
    return (char *)next < heap->start + heap->bytes ? next : NULL;
}

static void resize(const struct component_heap *heap, struct component_block *block, size_t bytes)
{
    block->bytes = bytes;
    struct component_block *next = following(heap, block);
    if (next)
        next->bytes_before = bytes;
}

static void list_insert(struct component_heap *heap, struct component_block *block)
{
    block->mark = mark(block, FREE);
    block->previous = NULL;
    block->next = heap->free;
    if (heap->free)
        heap->free->previous = block;
    heap->free = block;
}

static void list_remove(struct component_heap *heap, struct component_block *block)
{
    if (block->previous)
        block->previous->next = block->next;
    else
        heap->free = block->next;
    if (block->next)
        block->next->previous = block->previous;
}

static bool is_free(const struct component_block *block)
{
    return block->mark == mark(block, FREE);
}

void component_heap_start(struct component_heap *heap, void *memory, size_t bytes)
{
    *heap = (struct component_heap){.start = memory, .bytes = bytes / LINE * LINE};
    if (heap->bytes < 2 * LINE)
        return;
    struct component_block *all = memory;
    all->bytes = heap->bytes;
    all->bytes_before = 0;
    list_insert(heap, all);
}

/* Gives what a block has beyond `bytes` back to the list. */
static void split(struct component_heap *heap, struct component_block *block, size_t bytes)
{
    size_t rest = block->bytes - bytes;
    if (rest < 2 * LINE)
        return;
    struct component_block *second = at(block, (ptrdiff_t)bytes);
    second->bytes_before = bytes;
    resize(heap, second, rest);
    block->bytes = bytes;
    list_insert(heap, second);
}

void *component_heap_allocate(struct component_heap *heap, size_t bytes)
{
    if (bytes > heap->bytes)
        return NULL;
    size_t lines = bytes == 0 ? 1 : (bytes + LINE - 1) / LINE;
    size_t needed = (lines + 1) * LINE;
    struct component_block *block = heap->free;
    while (block && block->bytes < needed)
        block = block->next;
    if (!block)
        return NULL;
    list_remove(heap, block);
    split(heap, block, needed);
    block->mark = mark(block, USED);
    return block + 1;
}

static struct component_block *used_block(const struct component_heap *heap, const void *address)
{
    uintptr_t start = (uintptr_t)heap->start, here = (uintptr_t)address;
    if (here < start + LINE || here >= start + heap->bytes || (here - start) % LINE != 0)
        return NULL;
    struct component_block *block =
        at((struct component_block *)heap->start, (ptrdiff_t)(here - start - LINE));
    return block->mark == mark(block, USED) ? block : NULL;
}

bool component_heap_free(struct component_heap *heap, const void *address)
{
    struct component_block *block = used_block(heap, address);
    if (!block)
        return false;
    struct component_block *next = following(heap, block);
    struct component_block *before =
        block->bytes_before ? at(block, -(ptrdiff_t)block->bytes_before) : NULL;
    block->mark = 0;
    if (next && is_free(next)) {
        list_remove(heap, next);
        resize(heap, block, block->bytes + next->bytes);
    }
    if (before && is_free(before)) {
        list_remove(heap, before);
        resize(heap, before, before->bytes + block->bytes);
        block = before;
    }
    list_insert(heap, block);
    return true;
}
