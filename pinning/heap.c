#include "heap.h"

#include <stdlib.h>

enum { EXTENTS_PER_SLAB = 128, SPLITS = 1 << HEAP_SPLIT_BITS };

struct extent_slab {
    struct extent_slab *next;
    struct extent extents[EXTENTS_PER_SLAB];
};

static inline void set_state(struct extent *extent, enum extent_state state)
{
    atomic_store_explicit(&extent->state, (uint8_t)state, memory_order_relaxed);
}

static inline enum extent_state state_of(const struct extent *extent)
{
    return (enum extent_state)atomic_load_explicit(&extent->state, memory_order_relaxed);
}

static inline char *base_of(const struct extent *extent)
{
    return atomic_load_explicit(&extent->base, memory_order_relaxed);
}

/* ---- descriptors ---- */

static bool add_slab(struct heap *heap)
{
    struct extent_slab *slab = calloc(1, sizeof *slab);
    if (!slab)
        return false;
    slab->next = heap->slabs;
    heap->slabs = slab;
    for (size_t i = 0; i < EXTENTS_PER_SLAB; i++) {
        slab->extents[i].next = heap->unused;
        heap->unused = &slab->extents[i];
    }
    return true;
}

static struct extent *take_descriptor(struct heap *heap, struct segment *segment, char *base,
                                      size_t bytes)
{
    if (!heap->unused && !add_slab(heap))
        return NULL;
    struct extent *extent = heap->unused;
    heap->unused = extent->next;
    atomic_store_explicit(&extent->base, base, memory_order_relaxed);
    extent->bytes = bytes;
    extent->segment = segment;
    extent->lower = extent->upper = NULL;
    return extent;
}

static void drop_descriptor(struct heap *heap, struct extent *extent)
{
    set_state(extent, EXTENT_UNUSED);
    extent->next = heap->unused;
    heap->unused = extent;
}

/* ---- free lists ---- */

static void insert(struct heap *heap, struct extent *extent)
{
    unsigned class = heap_class_of(extent->bytes);
    extent->class = (uint16_t) class;
    set_state(extent, EXTENT_FREE);
    extent->previous = NULL;
    extent->next = heap->free_lists[class];
    if (extent->next)
        extent->next->previous = extent;
    heap->free_lists[class] = extent;
    heap->splits[class / SPLITS] |= 1u << class % SPLITS;
    heap->octaves |= 1ull << class / SPLITS;
}

static void take_out(struct heap *heap, struct extent *extent)
{
    unsigned class = extent->class;
    if (extent->next)
        extent->next->previous = extent->previous;
    if (extent->previous) {
        extent->previous->next = extent->next;
        return;
    }
    heap->free_lists[class] = extent->next;
    if (extent->next)
        return;
    heap->splits[class / SPLITS] &= ~(1u << class % SPLITS);
    if (!heap->splits[class / SPLITS])
        heap->octaves &= ~(1ull << class / SPLITS);
}

/* The first extent of the first class at or above `class` that has one. */
static struct extent *first_from(const struct heap *heap, unsigned class)
{
    if (class >= HEAP_CLASSES)
        return NULL;
    unsigned octave = class / SPLITS;
    uint32_t splits = heap->splits[octave] & ~0u << class % SPLITS;
    if (!splits) {
        uint64_t octaves = octave + 1 < 64 ? heap->octaves & ~0ull << (octave + 1) : 0;
        if (!octaves)
            return NULL;
        octave = (unsigned)__builtin_ctzll(octaves);
        splits = heap->splits[octave];
    }
    return heap->free_lists[octave * SPLITS + (unsigned)__builtin_ctz(splits)];
}

/* A class's smallest size fits any request that is rounded up to the class before it. */
static struct extent *find(const struct heap *heap, size_t bytes, bool thorough)
{
    unsigned class = heap_class_of(bytes);
    bool exact = heap_class_of(bytes - 1) != class; /* the request is the class's smallest size */
    struct extent *found = first_from(heap, exact ? class : class + 1);
    if (found || exact || !thorough)
        return found;
    for (found = heap->free_lists[class]; found && found->bytes < bytes; found = found->next)
        ;
    return found;
}

/* ---- allocation ---- */

/* Cuts what is beyond `bytes` off and makes it a free extent. Without a descriptor for the rest the
 * extent stays larger than asked for, which is harmless. */
static void split(struct heap *heap, struct extent *extent, size_t bytes)
{
    if (extent->bytes == bytes)
        return;
    struct extent *rest =
        take_descriptor(heap, extent->segment, base_of(extent) + bytes, extent->bytes - bytes);
    if (!rest)
        return;
    extent->bytes = bytes;
    rest->lower = extent;
    rest->upper = extent->upper;
    if (rest->upper)
        rest->upper->lower = rest;
    extent->upper = rest;
    insert(heap, rest);
}

struct extent *heap_allocate(struct heap *heap, size_t bytes, bool thorough)
{
    struct extent *extent = find(heap, bytes, thorough);
    if (!extent)
        return NULL;
    take_out(heap, extent);
    split(heap, extent, bytes);
    extent->class = (uint16_t)heap_class_of(extent->bytes);
    set_state(extent, EXTENT_LIVE);
    return extent;
}

/* Appends the upper neighbour to `extent`. */
static void merge_upper(struct heap *heap, struct extent *extent)
{
    struct extent *upper = extent->upper;
    extent->bytes += upper->bytes;
    extent->upper = upper->upper;
    if (extent->upper)
        extent->upper->lower = extent;
    drop_descriptor(heap, upper);
}

bool heap_release(struct heap *heap, struct extent *extent)
{
    if (extent->upper && state_of(extent->upper) == EXTENT_FREE) {
        take_out(heap, extent->upper);
        merge_upper(heap, extent);
    }
    if (extent->lower && state_of(extent->lower) == EXTENT_FREE) {
        extent = extent->lower;
        take_out(heap, extent);
        merge_upper(heap, extent);
    }
    insert(heap, extent);
    return !extent->lower && !extent->upper;
}

/* ---- segments ---- */

bool heap_add_segment(struct heap *heap, void *base, size_t bytes)
{
    struct segment *segment = malloc(sizeof *segment);
    struct extent *extent = segment ? take_descriptor(heap, segment, base, bytes) : NULL;
    if (!extent) {
        free(segment);
        return false;
    }
    *segment = (struct segment){base, bytes, heap, extent, heap->segments, NULL};
    if (segment->next)
        segment->next->previous = segment;
    heap->segments = segment;
    insert(heap, extent);
    return true;
}

/* The lowest extent of a segment keeps its descriptor: splitting and merging work upwards. */
static bool is_free(const struct segment *segment)
{
    return state_of(segment->first) == EXTENT_FREE && !segment->first->upper;
}

void *heap_take_free_segment(struct heap *heap, size_t *bytes)
{
    struct segment *segment = heap->segments;
    while (segment && !is_free(segment))
        segment = segment->next;
    if (!segment)
        return NULL;
    take_out(heap, segment->first);
    drop_descriptor(heap, segment->first);
    if (segment->next)
        segment->next->previous = segment->previous;
    if (segment->previous)
        segment->previous->next = segment->next;
    else
        heap->segments = segment->next;
    void *base = segment->base;
    *bytes = segment->bytes;
    free(segment);
    return base;
}

void heap_clear(struct heap *heap)
{
    while (heap->segments) {
        struct segment *next = heap->segments->next;
        free(heap->segments);
        heap->segments = next;
    }
    while (heap->slabs) {
        struct extent_slab *next = heap->slabs->next;
        free(heap->slabs);
        heap->slabs = next;
    }
}

/* ---- for tests ---- */

static const char *check_segment(const struct segment *segment, size_t *free_extents)
{
    char *at = segment->base;
    const struct extent *below = NULL;
    for (const struct extent *extent = segment->first; extent; extent = extent->upper) {
        if (base_of(extent) != at)
            return "an extent does not start where the one below ends";
        if (extent->lower != below || extent->segment != segment)
            return "neighbours do not know one another";
        if (extent->class != heap_class_of(extent->bytes))
            return "an extent's class is wrong";
        bool is_free = state_of(extent) == EXTENT_FREE;
        if (is_free && below && state_of(below) == EXTENT_FREE)
            return "two free neighbours are not merged";
        *free_extents += is_free;
        at += extent->bytes;
        below = extent;
    }
    return at == segment->base + segment->bytes ? NULL : "a segment is not covered by its extents";
}

const char *heap_check(const struct heap *heap)
{
    size_t in_segments = 0, in_lists = 0;
    for (const struct segment *segment = heap->segments; segment; segment = segment->next) {
        const char *error = check_segment(segment, &in_segments);
        if (error)
            return error;
    }
    for (unsigned class = 0; class < HEAP_CLASSES; class ++) {
        const struct extent *first = heap->free_lists[class];
        if (!first != !(heap->splits[class / SPLITS] >> class % SPLITS & 1))
            return "a bit map disagrees with its list";
        for (const struct extent *extent = first; extent; extent = extent->next, in_lists++)
            if (state_of(extent) != EXTENT_FREE || extent->class != class)
                return "a list holds an extent that does not belong there";
    }
    return in_segments == in_lists ? NULL : "a free extent is in no list";
}
