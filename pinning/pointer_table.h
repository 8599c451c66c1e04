/* pointer_table.h: the reverse look-up of algorithm 5.4: from a block's pointer to its real size.
 *
 * A hash table with open addressing. Not thread-safe. */
#ifndef PINNING_POINTER_TABLE_H
#define PINNING_POINTER_TABLE_H

#include <stdbool.h>
#include <stddef.h>

enum block_state { BLOCK_LIVE, BLOCK_FREE, BLOCK_PENDING };

struct block_record {
    void *pointer; /* NULL: an empty place */
    size_t bytes;  /* real size */
    size_t requested_bytes;
    enum block_state state;
};

struct pointer_table {
    struct block_record *places;
    size_t capacity; /* 0 or a power of two */
    size_t count;
};

/* The record of `pointer`, or NULL. Valid until the next insertion or removal. */
struct block_record *pointer_table_find(const struct pointer_table *table, const void *pointer);

/* Adds a record whose pointer is not there yet; false if there is no memory. */
bool pointer_table_insert(struct pointer_table *table, struct block_record record);

/* Takes the record of a pointer that is there out. */
void pointer_table_remove(struct pointer_table *table, const void *pointer);

#endif
