#include "prefetch/sip/block_table.h"

#include <stdlib.h>

#include "common/error.h"

enum { FIRST_BUCKETS = 64 };

static struct table_block **bucket_of(const struct block_table *table, int array, int64_t number)
{
    uint64_t key = (uint64_t)number * 0x9e3779b97f4a7c15u + (uint64_t)array * 0xd1b54a32d192ed03u;
    return &table->buckets[(key ^ key >> 32) & (table->bucket_count - 1)];
}

enum dm_status table_open(struct block_table *table, struct worker_memory *memory,
                          size_t limit_bytes)
{
    *table = (struct block_table){
        .memory = memory, .bucket_count = FIRST_BUCKETS, .limit_bytes = limit_bytes};
    table->buckets = calloc(FIRST_BUCKETS, sizeof *table->buckets);
    return table->buckets ? DM_OK : error_no_memory(FIRST_BUCKETS * sizeof *table->buckets);
}

void table_close(struct block_table *table)
{
    for (size_t i = 0; i < table->bucket_count && table->buckets; i++)
        while (table->buckets[i])
            table_remove(table, table->buckets[i]);
    free(table->buckets);
    *table = (struct block_table){0};
}

struct table_block *table_find(const struct block_table *table, int array, int64_t number)
{
    struct table_block *block = *bucket_of(table, array, number);
    while (block && (block->array != array || block->number != number))
        block = block->next;
    return block;
}

static void insert(struct block_table *table, struct table_block *block)
{
    struct table_block **bucket = bucket_of(table, block->array, block->number);
    block->next = *bucket;
    *bucket = block;
}

static void take_out(struct block_table *table, struct table_block *block)
{
    struct table_block **link = bucket_of(table, block->array, block->number);
    while (*link != block)
        link = &(*link)->next;
    *link = block->next;
}

/* A table that cannot grow is only slower. */
static void grow(struct block_table *table)
{
    struct table_block **old = table->buckets;
    size_t old_count = table->bucket_count;
    struct table_block **buckets = calloc(2 * old_count, sizeof *buckets);
    if (!buckets)
        return;
    table->buckets = buckets;
    table->bucket_count = 2 * old_count;
    for (size_t i = 0; i < old_count; i++) {
        for (struct table_block *block = old[i], *next; block; block = next) {
            next = block->next;
            insert(table, block);
        }
    }
    free(old);
}

enum dm_status table_add(struct block_table *table, int array, int64_t number,
                         struct table_block **added)
{
    struct table_block *block = calloc(1, sizeof *block);
    if (!block)
        return error_no_memory(sizeof *block);
    if (table->count >= table->bucket_count)
        grow(table);
    block->array = array;
    block->number = number;
    block->wait = -1;
    insert(table, block);
    table->count++;
    *added = block;
    return DM_OK;
}

void table_remove(struct block_table *table, struct table_block *block)
{
    if (block->state != FETCH_NONE)
        list_remove(block->state == FETCH_EVICTED ? &table->evicted : &table->fetched, block);
    table_remove_data(table, block);
    take_out(table, block);
    table->count--;
    free(block);
}

void table_rename(struct block_table *table, struct table_block *block, int64_t number)
{
    take_out(table, block);
    block->number = number;
    insert(table, block);
}

enum dm_status table_add_data(struct block_table *table, struct table_block *block, size_t elements)
{
    TRY(memory_create(table->memory, &block->data, elements));
    block->has_data = true;
    table->bytes += elements * sizeof(double);
    return DM_OK;
}

void table_remove_data(struct block_table *table, struct table_block *block)
{
    if (!block->has_data)
        return;
    table->bytes -= block->data.elements * sizeof(double);
    memory_destroy(table->memory, &block->data);
    block->has_data = false;
}

void list_append(struct block_list *list, struct table_block *block)
{
    block->older = list->newest;
    block->newer = NULL;
    *(list->newest ? &list->newest->newer : &list->oldest) = block;
    list->newest = block;
}

void list_remove(struct block_list *list, struct table_block *block)
{
    *(block->older ? &block->older->newer : &list->oldest) = block->newer;
    *(block->newer ? &block->newer->older : &list->newest) = block->older;
}
