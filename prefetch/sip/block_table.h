/* block_table.h: the blocks that a worker has, by array and number within the array.
 *
 * Fetched blocks (of distributed and served arrays) also stand in one of two lists: `fetched`, the
 * least recently used first, and `evicted`, those whose memory was taken back. The table knows
 * nothing of transfers; get.h does. */
#ifndef PREFETCH_SIP_BLOCK_TABLE_H
#define PREFETCH_SIP_BLOCK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prefetch/sip/transport.h"
#include "prefetch/sip/worker_memory.h"

enum fetch_state {
    FETCH_NONE,     /* a block of this worker's own */
    FETCH_PENDING,  /* requested */
    FETCH_HERE,     /* has arrived */
    FETCH_MISSING,  /* the servers have none; no data */
    FETCH_CONFLICT, /* another worker puts it; no data */
    FETCH_EVICTED   /* was here; no data, fetched again if needed */
};

struct table_block {
    struct table_block *next; /* in its bucket */
    int array;
    int64_t number;
    bool has_data;
    struct block_data data;
    uint64_t statement; /* the last one that used it, as the worker counts statements */
    /* Of fetched blocks: */
    struct table_block *older, *newer; /* in its list */
    enum fetch_state state;
    struct transfer *transfer; /* while pending */
    struct transfer_conflict conflict;
    bool got;        /* a get named it, so statements may read it */
    bool ahead;      /* requested ahead */
    bool read;       /* by a statement */
    int instruction; /* the get that named it last or had it prefetched */
    long wait;       /* the wait record that its first access completes; -1: none */
};

struct block_list {
    struct table_block *oldest, *newest;
};

struct block_table {
    struct worker_memory *memory;
    struct table_block **buckets;
    size_t bucket_count, count; /* bucket_count: a power of 2 */
    size_t bytes, limit_bytes;  /* of all blocks with data */
    struct block_list fetched, evicted;
};

/* DM_NO_MEMORY. */
enum dm_status table_open(struct block_table *table, struct worker_memory *memory,
                          size_t limit_bytes);
/* Removes all blocks; no transfer may be under way. */
void table_close(struct block_table *table);

struct table_block *table_find(const struct block_table *table, int array, int64_t number);

/* A new block, without data. There must not be one. DM_NO_MEMORY. */
enum dm_status table_add(struct block_table *table, int array, int64_t number,
                         struct table_block **added);
void table_remove(struct block_table *table, struct table_block *block);
/* Makes it another block of the same array. */
void table_rename(struct block_table *table, struct table_block *block, int64_t number);

/* Gives the block memory, counted whether there is room or not. */
enum dm_status table_add_data(struct block_table *table, struct table_block *block,
                              size_t elements);
void table_remove_data(struct block_table *table, struct table_block *block);

void list_append(struct block_list *list, struct table_block *block);
void list_remove(struct block_list *list, struct table_block *block);

#endif
