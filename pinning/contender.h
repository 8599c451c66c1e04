/* contender.h: the variants of pinning_hit and pinning_cache, each ready to replay requests. */
#ifndef PINNING_CONTENDER_H
#define PINNING_CONTENDER_H

#include "allocator.h"
#include "program.h"

enum contender_kind {
    CONTENDER_UNCACHED,
    CONTENDER_THESIS,
    CONTENDER_CACHE,
    CONTENDER_POOL,
    CONTENDER_MALLOC,
    CONTENDER_JEMALLOC,
    CONTENDER_MIMALLOC,
    CONTENDER_KINDS
};

struct contender {
    const char *variant;
    enum contender_kind kind;
    struct allocator allocator;
    struct malloc_peer *peer;                 /* of jemalloc and mimalloc */
    struct block_cache *cache;                /* of thesis and cache, while open */
    struct block_cache_statistics statistics; /* of the cache, after the last replay */
    bool cold;                                /* a new cache for each replay */
    size_t limit_bytes;                       /* of the caches, 0: none */
    unsigned spare_percent;                   /* of the caches, 0: their default */
    const struct steps *steps;
};

/* Where jemalloc and mimalloc are, if not in the usual folders; targets of options. */
extern const char *contender_jemalloc, *contender_mimalloc;

/* Opens the variants that are wanted (variants[kind] is a kind's name, NULL if the program has
 * none) and notes as waived those that cannot run here. Returns their number. */
size_t contenders_open(struct run *run, const char *const variants[CONTENDER_KINDS],
                       struct contender contenders[CONTENDER_KINDS]);
void contenders_close(struct contender *contenders, size_t count);

/* Gives the contender the requests of the next samples; `steps` must stay valid. */
void contender_load(struct contender *contender, const struct steps *steps, bool cold,
                    size_t limit_bytes, unsigned spare_percent);

/* Replays them: the time in s. For struct subject. */
double contender_sample(void *contender);

#endif
