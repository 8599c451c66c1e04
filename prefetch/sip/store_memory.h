/* store_memory.h: which blocks of a store are in memory; the parts that store.c is made of. */
#ifndef PREFETCH_SIP_STORE_MEMORY_H
#define PREFETCH_SIP_STORE_MEMORY_H

#include "prefetch/sip/store_table.h"

struct array_rule {
    double *(*place)(void *context, struct block_id id);
    void *context;
    bool served;
};

struct store {
    size_t limit, memory; /* bytes */
    struct store_table table;
    struct spill_file *file;
    struct array_rule *rules; /* by array */
    int rule_count;
    /* Blocks in memory that are not acquired, in a ring: [1] those of served arrays. The ring's own
     * entry stands between the hottest and the coldest. */
    struct store_entry rings[2];
    struct store_counters counters;
};

static inline size_t store_bytes(const struct store_entry *entry)
{
    return entry->elements * sizeof(double);
}

static inline bool store_is_served(const struct store *store, int array)
{
    return array < store->rule_count && store->rules[array].served;
}

/* Into the ring as the hottest, and out of it. */
void store_link(struct store *store, struct store_entry *entry);
void store_unlink(struct store_entry *entry);

/* Memory for a new block. */
enum store_outcome store_provide(struct store *store, struct store_entry *entry);

/* Brings a block back from disk, or only its memory if the contents are not wanted. */
enum store_outcome store_load(struct store *store, struct store_entry *entry, bool wanted);

/* Writes a changed block to its place on disk; it stays in memory. */
enum store_outcome store_save(struct store *store, struct store_entry *entry);

void store_free_data(struct store *store, struct store_entry *entry);

#endif
