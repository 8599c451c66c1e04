/* pinning_cache_test.h: what the tests of the block caches share: page-locked memory that can be
 * made to fail, and blocks that know what they hold. */
#ifndef PINNING_CACHE_TEST_H
#define PINNING_CACHE_TEST_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/pinning.h>

#include "common/clock.h"
#include "common/random.h"
#include "tests/unit/test_status.h"

/* ---- page-locked memory of the test, which can be made to fail ---- */

static _Atomic long system_calls_left = -1; /* before allocation fails; -1: never */
static _Atomic size_t system_blocks;

static cudaError_t test_allocate(void **pointer, size_t bytes)
{
    if (system_calls_left == 0)
        return cudaErrorMemoryAllocation;
    if (system_calls_left > 0)
        system_calls_left--;
    if (posix_memalign(pointer, 4096, bytes))
        return cudaErrorMemoryAllocation;
    system_blocks++;
    return cudaSuccess;
}

static cudaError_t test_release(void *pointer)
{
    free(pointer);
    system_blocks--;
    return cudaSuccess;
}

static const struct pinning_memory test_memory = {test_allocate, test_release};

static enum pinning_cache_kind kind; /* of the cache under test */

static inline struct pinning_cache *make_cache(size_t limit_bytes)
{
    struct pinning_cache_config config = {
        .kind = kind, .limit_bytes = limit_bytes, .memory = &test_memory};
    system_calls_left = -1;
    struct pinning_cache *cache = NULL;
    expect(pinning_cache_create(&cache, &config) == DM_OK);
    return cache;
}

/* Returns the blocks that were still live. */
static inline size_t destroy_cache(struct pinning_cache *cache)
{
    struct pinning_cache_statistics statistics;
    pinning_cache_statistics(cache, &statistics);
    pinning_cache_destroy(cache);
    return statistics.live_blocks;
}

static inline struct pinning_cache_statistics statistics_of(struct pinning_cache *cache)
{
    struct pinning_cache_statistics statistics;
    pinning_cache_statistics(cache, &statistics);
    return statistics;
}

/* ---- blocks that know what they hold ---- */

struct held {
    unsigned char *block;
    size_t bytes;
    unsigned char mark;
};

/* Marks the whole block; an overlap with another one damages that one's marks. */
static inline void mark(struct held *held, unsigned char value)
{
    held->mark = value;
    memset(held->block, value, held->bytes);
}

static inline bool is_marked(const struct held *held)
{
    for (size_t i = 0; i < held->bytes; i += 61)
        if (held->block[i] != held->mark)
            return false;
    return held->bytes == 0 || held->block[held->bytes - 1] == held->mark;
}

#endif
