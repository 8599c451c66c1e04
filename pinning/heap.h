/* heap.h: cuts page-locked segments into extents: a two-level segregated fit.
 *
 * Allocation and release take constant time: free extents hang in lists by size class, 32 classes
 * per octave, and two levels of bit maps find the first list that is not empty. Extents are split
 * to the size asked for and merged with free neighbours at once. Source: Masmano, Ripoll, Crespo
 * and Real, "TLSF: a new dynamic memory allocator for real-time systems", ECRTS 2004.
 *
 * The descriptors lie outside of the page-locked memory, so a block that a program overruns, or
 * that a copy engine still writes, cannot damage them. Not thread-safe: the caller locks. */
#ifndef PINNING_HEAP_H
#define PINNING_HEAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GRANULE_SHIFT = 9, /* all extents start on and are a multiple of 512 bytes */
    GRANULE_BYTES = 1 << GRANULE_SHIFT,
    HEAP_LARGEST_SHIFT = 46, /* no extent is larger than 2^46 bytes */
    HEAP_SPLIT_BITS = 5,     /* 2^5 classes per octave */
    HEAP_OCTAVES = HEAP_LARGEST_SHIFT - GRANULE_SHIFT - HEAP_SPLIT_BITS + 2,
    HEAP_CLASSES = HEAP_OCTAVES << HEAP_SPLIT_BITS
};

/* Who may touch an extent. */
enum extent_state {
    EXTENT_UNUSED, /* the descriptor describes nothing */
    EXTENT_FREE,   /* in one of the heap's lists */
    EXTENT_KEPT,   /* free, but kept in a thread's magazine */
    EXTENT_LIVE,   /* handed out */
    EXTENT_PENDING /* released while a copy was in flight */
};

struct segment;

struct extent {
    _Atomic(char *) base;
    size_t bytes;           /* multiple of GRANULE_BYTES */
    size_t requested_bytes; /* what the owner of a live extent asked for */
    _Atomic uint8_t state;  /* enum extent_state */
    uint16_t class;         /* heap_class_of(bytes) */
    struct segment *segment;
    struct extent *lower, *upper;   /* neighbours in the segment */
    struct extent *next, *previous; /* in a list of free extents, or `next` alone in a magazine */
};

/* Page-locked memory as it came from the system. */
struct segment {
    char *base;
    size_t bytes;
    struct heap *heap;
    struct extent *first;
    struct segment *next, *previous;
};

struct heap {
    uint64_t octaves;              /* bit: some class of the octave has free extents */
    uint32_t splits[HEAP_OCTAVES]; /* bit: the class has free extents */
    struct extent *free_lists[HEAP_CLASSES];
    struct segment *segments;
    struct extent *unused; /* descriptors to be used again */
    struct extent_slab *slabs;
};

/* The class in which a free extent of that size is kept. Sizes within a class differ by at most
 * 1/32. */
static inline unsigned heap_class_of(size_t bytes)
{
    uint64_t granules = (uint64_t)bytes >> GRANULE_SHIFT;
    if (granules < 1u << HEAP_SPLIT_BITS)
        return (unsigned)granules;
    unsigned shift = 63u - (unsigned)__builtin_clzll(granules) - HEAP_SPLIT_BITS;
    return (shift << HEAP_SPLIT_BITS) + (unsigned)(granules >> shift);
}

/* Bytes an allocation really takes, or 0 if it is larger than any heap can be. */
static inline size_t heap_round(size_t bytes)
{
    if (bytes > (size_t)1 << HEAP_LARGEST_SHIFT)
        return 0;
    return bytes ? (bytes + GRANULE_BYTES - 1) & ~(size_t)(GRANULE_BYTES - 1) : GRANULE_BYTES;
}

/* Makes memory [base, base + bytes) one free extent. base and bytes are multiples of GRANULE_BYTES,
 * bytes comes from heap_round. False if there is no memory for the descriptors. */
bool heap_add_segment(struct heap *heap, void *base, size_t bytes);

/* Takes a segment that is wholly free out of the heap and returns its base, NULL if there is none.
 */
void *heap_take_free_segment(struct heap *heap, size_t *bytes);

/* An extent of `bytes` (from heap_round) in the state LIVE, or NULL if no free extent fits. With
 * `thorough` also the class whose extents may or may not fit is searched, in time proportional to
 * its length. */
struct extent *heap_allocate(struct heap *heap, size_t bytes, bool thorough);

/* Takes an extent back. True if its whole segment is free now. */
bool heap_release(struct heap *heap, struct extent *extent);

/* Frees all descriptors and segments' records; the page-locked memory is the caller's. */
void heap_clear(struct heap *heap);

/* Walks over everything and returns a sentence about the first broken rule, or NULL. For tests. */
const char *heap_check(const struct heap *heap);

#endif
