/* access_cache.h: what has been computed for a launch, found again by everything that it depends
 * on: kernel, grid, block, parts, method and values of the scalar arguments, but no pointers. */
#ifndef ACCESS_CACHE_H
#define ACCESS_CACHE_H

#include <datamotion/partition.h>

/* All zero at the start. */
struct access_cache {
    struct access_entry **slots;
    size_t count, capacity; /* a power of two */
    size_t bytes;           /* of the values: their owner's to count; 0 again when all are freed */
};

struct access_query {
    const struct partition_kernel *kernel;
    const int64_t *scalars; /* by argument; of pointers not looked at */
    const struct partition_shape *shape;
    const char *split; /* "x", "xy", ...: at most 3 letters */
    int devices;
    enum partition_access method;
};

/* What was kept for the query, or NULL. */
void *access_cache_find(const struct access_cache *cache, const struct access_query *query);
/* Keeps `value`, which is not NULL, for a query that is not there yet. DM_NO_MEMORY, or
 * DM_INVALID: a split of more letters. */
enum dm_status access_cache_add(struct access_cache *cache, const struct access_query *query,
                                void *value);
/* `release` gets every value; may be NULL. */
void access_cache_free(struct access_cache *cache, void (*release)(void *value));

#endif
