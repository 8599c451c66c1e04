/* access_cache.c: an open hash table of what was computed for launches. */
#include "access_cache.h"

#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/random.h"

struct access_entry {
    void *value;
    uint64_t hash;
    const struct partition_kernel *kernel;
    struct partition_shape shape;
    char split[4];
    int devices;
    enum partition_access method;
    int64_t scalars[]; /* pointers: 0 */
};

static bool is_scalar(const struct partition_kernel *kernel, size_t argument)
{
    return kernel->arguments[argument].level == 0;
}

static uint64_t hash_of(const struct access_query *query)
{
    const struct partition_kernel *kernel = query->kernel;
    uint64_t hash = random_bits((uint64_t)(uintptr_t)kernel, (uint64_t)query->method);
    hash = random_bits(hash, (uint64_t)query->devices << 32 | (unsigned char)query->split[0]);
    for (int d = 0; d < 3; d++)
        hash = random_bits(hash, (uint64_t)query->shape->grid[d] << 32 | query->shape->block[d]);
    for (size_t i = 0; i < kernel->argument_count; i++)
        if (is_scalar(kernel, i))
            hash = random_bits(hash, (uint64_t)query->scalars[i]);
    return hash;
}

static bool is_same(const struct access_entry *entry, const struct access_query *query)
{
    if (entry->kernel != query->kernel || entry->devices != query->devices ||
        entry->method != query->method || strcmp(entry->split, query->split) != 0 ||
        memcmp(&entry->shape, query->shape, sizeof entry->shape) != 0)
        return false;
    for (size_t i = 0; i < query->kernel->argument_count; i++)
        if (is_scalar(query->kernel, i) && entry->scalars[i] != query->scalars[i])
            return false;
    return true;
}

void *access_cache_find(const struct access_cache *cache, const struct access_query *query)
{
    if (cache->count == 0)
        return NULL;
    uint64_t hash = hash_of(query);
    size_t mask = cache->capacity - 1;
    for (size_t i = hash & mask; cache->slots[i]; i = (i + 1) & mask)
        if (cache->slots[i]->hash == hash && is_same(cache->slots[i], query))
            return cache->slots[i]->value;
    return NULL;
}

static void put(struct access_entry **slots, size_t capacity, struct access_entry *entry)
{
    size_t i = entry->hash & (capacity - 1);
    while (slots[i])
        i = (i + 1) & (capacity - 1);
    slots[i] = entry;
}

/* At most half of the slots are used. */
static enum dm_status make_room(struct access_cache *cache)
{
    if (2 * (cache->count + 1) <= cache->capacity)
        return DM_OK;
    size_t capacity = cache->capacity ? 2 * cache->capacity : 16;
    struct access_entry **slots = calloc(capacity, sizeof *slots);
    if (!slots)
        return error_no_memory(capacity * sizeof *slots);
    for (size_t i = 0; i < cache->capacity; i++)
        if (cache->slots[i])
            put(slots, capacity, cache->slots[i]);
    free(cache->slots);
    cache->slots = slots;
    cache->capacity = capacity;
    return DM_OK;
}

enum dm_status access_cache_add(struct access_cache *cache, const struct access_query *query,
                                void *value)
{
    size_t count = query->kernel->argument_count;
    struct access_entry *entry;
    size_t bytes = sizeof *entry + count * sizeof *entry->scalars;
    if (strlen(query->split) >= sizeof entry->split)
        return dm_fail(DM_INVALID, "split %.16s: at most 3 letters are expected", query->split);
    TRY(make_room(cache));
    entry = calloc(1, bytes);
    if (!entry)
        return error_no_memory(bytes);
    entry->value = value;
    entry->hash = hash_of(query);
    entry->kernel = query->kernel;
    entry->shape = *query->shape;
    strcpy(entry->split, query->split);
    entry->devices = query->devices;
    entry->method = query->method;
    for (size_t i = 0; i < count; i++)
        entry->scalars[i] = is_scalar(query->kernel, i) ? query->scalars[i] : 0;
    put(cache->slots, cache->capacity, entry);
    cache->count++;
    return DM_OK;
}

void access_cache_free(struct access_cache *cache, void (*release)(void *value))
{
    for (size_t i = 0; i < cache->capacity; i++) {
        if (cache->slots[i] && release)
            release(cache->slots[i]->value);
        if (cache->slots)
            free(cache->slots[i]);
    }
    free(cache->slots);
    *cache = (struct access_cache){0};
}
