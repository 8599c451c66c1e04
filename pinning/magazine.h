/* magazine.h: free blocks that a thread keeps for itself, so that a hit needs no lock.
 *
 * The owner marks itself inside with a plain store. Another thread that wants the blocks (trim, or
 * a request that found nothing) sets `claimed`, lets the kernel run a memory barrier on all cores
 * (membarrier), and then waits until the owner is outside: the barrier's whole cost is on the rare
 * side. Without membarrier the owner's store is a full barrier itself. A section inside is some
 * tens of instructions and never blocks. Source: the asymmetric Dekker lock, e.g. Dice, Huang and
 * Yang, "Asymmetric Dekker synchronization", Sun Labs 2001. */
#ifndef PINNING_MAGAZINE_H
#define PINNING_MAGAZINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "heap.h"

enum {
    MAGAZINE_BYTES = 64 << 20, /* most bytes kept per thread */
    MAGAZINE_OCTAVES = 17,     /* of classes: sizes up to MAGAZINE_BYTES */
    MAGAZINE_CLASSES = MAGAZINE_OCTAVES << HEAP_SPLIT_BITS,
    MAGAZINE_LOOSE_BYTES = 1 << 20 /* below it a block may be up to 4 classes (1/8) too large */
};

/* Counted by the owner alone, read by anyone. */
struct magazine_counters {
    _Atomic uint64_t allocations, releases;
    _Atomic int64_t live_bytes, peak_live_bytes;
};

struct magazine {
    _Atomic int inside, claimed;
    _Atomic uint64_t cache_id; /* 0: the cache is gone */
    size_t bytes;
    struct magazine_counters counters;
    struct magazine_owner *owner; /* the cache */
    struct magazine *next_of_thread, *next_of_cache;
    uint32_t filled[MAGAZINE_OCTAVES]; /* bit: the class has blocks */
    struct extent *tops[MAGAZINE_CLASSES];
};

/* The part of a cache that its magazines know. */
struct magazine_owner {
    uint64_t id; /* never used twice in a process */
    struct magazine *magazines;
    struct magazine_counters retired; /* of threads that have ended */
    /* Takes a chain of extents (linked by `next`) back. */
    void (*take_back)(struct magazine_owner *owner, struct extent *chain);
};

extern _Thread_local struct magazine *magazine_current;
extern bool magazine_full_barrier; /* the kernel has no membarrier */

/* False: the process has no thread-specific key left. */
bool magazine_owner_init(struct magazine_owner *owner,
                         void (*take_back)(struct magazine_owner *, struct extent *));

/* Gives all threads' blocks back and detaches the owner from its magazines. */
void magazine_owner_close(struct magazine_owner *owner);

/* Gives the blocks of all threads' magazines back to the owner. */
void magazine_collect(struct magazine_owner *owner);

/* Sums of the counters of all threads, past and present. */
struct magazine_sums {
    uint64_t allocations, releases;
    int64_t live_bytes, peak_live_bytes;
};
struct magazine_sums magazine_sum(struct magazine_owner *owner);

/* This thread's magazine for the owner, made on first use; NULL: no memory. */
struct magazine *magazine_find(struct magazine_owner *owner);
static inline struct magazine *magazine_of(struct magazine_owner *owner)
{
    struct magazine *current = magazine_current;
    if (current && atomic_load_explicit(&current->cache_id, memory_order_relaxed) == owner->id)
        return current;
    return magazine_find(owner);
}

void magazine_wait(struct magazine *magazine);

static inline void magazine_enter(struct magazine *magazine)
{
    for (;;) {
        if (__builtin_expect(magazine_full_barrier, false))
            atomic_exchange(&magazine->inside, 1);
        else
            atomic_store_explicit(&magazine->inside, 1, memory_order_relaxed);
        atomic_signal_fence(memory_order_seq_cst);
        if (__builtin_expect(!atomic_load(&magazine->claimed), true))
            return;
        magazine_wait(magazine);
    }
}

static inline void magazine_leave(struct magazine *magazine)
{
    atomic_store_explicit(&magazine->inside, 0, memory_order_release);
}

/* Takes the top of a class that has one. */
static inline struct extent *magazine_take(struct magazine *magazine, unsigned class)
{
    struct extent *extent = magazine->tops[class];
    magazine->tops[class] = extent->next;
    if (!extent->next)
        magazine->filled[class >> HEAP_SPLIT_BITS] &= ~(1u << class % (1u << HEAP_SPLIT_BITS));
    magazine->bytes -= extent->bytes;
    return extent;
}

/* One of the next three classes of the octave that has blocks, or `class`. */
static inline unsigned magazine_next_class(const struct magazine *magazine, unsigned class)
{
    uint32_t larger =
        magazine->filled[class >> HEAP_SPLIT_BITS] >> class % (1u << HEAP_SPLIT_BITS) & 14;
    return larger ? class + (unsigned)__builtin_ctz(larger) : class;
}

/* An extent of at least `bytes`, and not much more, in the state LIVE, or NULL. */
static inline struct extent *magazine_pop(struct magazine *magazine, size_t bytes)
{
    unsigned class = heap_class_of(bytes);
    struct extent *extent = NULL;
    if (class >= MAGAZINE_CLASSES)
        return NULL;
    magazine_enter(magazine);
    if (!magazine->tops[class] && bytes < MAGAZINE_LOOSE_BYTES)
        class = magazine_next_class(magazine, class);
    if (magazine->tops[class] && magazine->tops[class]->bytes >= bytes) {
        extent = magazine_take(magazine, class);
        atomic_store_explicit(&extent->state, EXTENT_LIVE, memory_order_relaxed);
    }
    magazine_leave(magazine);
    return extent;
}

/* Keeps an extent that is in the state KEPT; false if it would be too much. */
static inline bool magazine_push(struct magazine *magazine, struct extent *extent)
{
    bool fits = false;
    magazine_enter(magazine);
    if (magazine->bytes + extent->bytes <= MAGAZINE_BYTES && extent->class < MAGAZINE_CLASSES) {
        extent->next = magazine->tops[extent->class];
        magazine->tops[extent->class] = extent;
        magazine->filled[extent->class >> HEAP_SPLIT_BITS] |=
            1u << extent->class % (1u << HEAP_SPLIT_BITS);
        magazine->bytes += extent->bytes;
        fits = true;
    }
    magazine_leave(magazine);
    return fits;
}

/* Takes everything out as a chain. The caller is the owner, or has claimed the magazine. */
struct extent *magazine_empty(struct magazine *magazine);

/* Owner's part of magazine_empty: enters and leaves. */
struct extent *magazine_empty_own(struct magazine *magazine);

static inline void magazine_count_allocation(struct magazine *magazine, size_t bytes)
{
    struct magazine_counters *c = &magazine->counters;
    int64_t live = atomic_load_explicit(&c->live_bytes, memory_order_relaxed) + (int64_t)bytes;
    atomic_store_explicit(&c->live_bytes, live, memory_order_relaxed);
    if (live > atomic_load_explicit(&c->peak_live_bytes, memory_order_relaxed))
        atomic_store_explicit(&c->peak_live_bytes, live, memory_order_relaxed);
    atomic_store_explicit(&c->allocations,
                          atomic_load_explicit(&c->allocations, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

static inline void magazine_count_release(struct magazine *magazine, size_t bytes)
{
    struct magazine_counters *c = &magazine->counters;
    atomic_store_explicit(
        &c->live_bytes, atomic_load_explicit(&c->live_bytes, memory_order_relaxed) - (int64_t)bytes,
        memory_order_relaxed);
    atomic_store_explicit(&c->releases,
                          atomic_load_explicit(&c->releases, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

#endif
