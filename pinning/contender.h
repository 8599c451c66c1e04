/* contender.h: the variants of programs that replay requests, each ready to do so. */
#ifndef PINNING_CONTENDER_H
#define PINNING_CONTENDER_H

#include "common/harness/compare.h"
#include "common/harness/program.h"

#include "allocator.h"

enum contender_kind {
    CONTENDER_UNCACHED,
    CONTENDER_THESIS,
    CONTENDER_CACHE,
    CONTENDER_POOL,
    CONTENDER_MALLOC,
    CONTENDER_JEMALLOC,
    CONTENDER_MIMALLOC
};

/* A task of a comparison (common/harness/compare.h). */
struct contender {
    int variant;
    enum contender_kind kind;
    const void *workload; /* the program's, of the configuration that is compared */
    struct allocator allocator;
    struct malloc_peer *peer;                   /* of jemalloc and mimalloc */
    struct pinning_cache *cache;                /* of thesis and cache, while open */
    struct pinning_cache_statistics statistics; /* of the cache, after the last replay */
    bool cold;                                  /* a new cache for each replay */
    size_t limit_bytes;                         /* of the caches, 0: none */
    unsigned spare_percent;                     /* of the caches, 0: their default */
    const struct steps *steps;
};

struct contenders {
    struct contender *all;
    size_t count;
};

/* Where jemalloc and mimalloc are, if not in the usual folders; targets of options. */
extern const char *contender_jemalloc, *contender_mimalloc;

#define CONTENDER_OPTIONS                                                                          \
    {"jemalloc",                                                                                   \
     OPTION_TEXT,                                                                                  \
     &contender_jemalloc,                                                                          \
     "FILE",                                                                                       \
     "jemalloc's library, if it is in none of the usual folders",                                  \
     0,                                                                                            \
     0},                                                                                           \
    {                                                                                              \
        "mimalloc", OPTION_TEXT, &contender_mimalloc, "FILE",                                      \
            "mimalloc's library, if it is in none of the usual folders", 0, 0                      \
    }

/* Opens the variants that are wanted, whose kinds are kinds[variant], and notes as waived those
 * that cannot run here. */
struct contenders contenders_open(struct run *run, const enum contender_kind *kinds);
void contenders_close(struct contenders *contenders);

/* Compares those that are open, each with the program's workload. */
void contenders_compare(struct run *run, struct contenders *contenders,
                        const struct comparison *comparison, const void *workload);

/* Whether it is one of the block caches, which have statistics. */
bool contender_is_cache(const struct contender *contender);

/* Gives the contender the requests of the next samples; `steps` must stay valid. */
void contender_load(struct contender *contender, const struct steps *steps, bool cold,
                    size_t limit_bytes, unsigned spare_percent);

/* Replays them: the time in s. */
double contender_replay(void *contender);

#endif
