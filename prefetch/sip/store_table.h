/* store_table.h: the blocks that a store knows, by array and number: a hash table with chains. */
#ifndef PREFETCH_SIP_STORE_TABLE_H
#define PREFETCH_SIP_STORE_TABLE_H

#include "prefetch/sip/spill_file.h"
#include "prefetch/sip/store.h"

struct store_entry {
    struct block_id id;
    size_t elements;
    double *data;           /* NULL: on disk only */
    struct spill_slot slot; /* its place on disk */
    bool changed;           /* since it was written to the slot */
    bool resident;          /* data lies in foreign memory */
    int acquired;           /* how many times; 0: it may leave memory */
    struct store_stamp stamp;
    struct store_entry *hotter, *colder; /* neighbours by time of use */
    struct store_entry *chain;           /* the table's */
};

struct store_table {
    struct store_entry **chains;
    size_t chain_count; /* a power of two; 0: nothing stored yet */
    size_t count;
};

/* NULL: there is none. */
struct store_entry *store_table_find(const struct store_table *table, struct block_id id);
/* The entry must be new. False: no memory. */
bool store_table_insert(struct store_table *table, struct store_entry *entry);
void store_table_remove(struct store_table *table, struct store_entry *entry);

/* All entries, in no order: start with *chain 0 and entry NULL; NULL at the end. The entry given
 * may not have been removed. */
struct store_entry *store_table_next(const struct store_table *table, size_t *chain,
                                     struct store_entry *entry);

#endif
