#include "prefetch/sip/store_table.h"

#include <stdlib.h>

static size_t chain_of(const struct store_table *table, struct block_id id)
{
    uint64_t mixed = ((uint64_t)id.number ^ ((uint64_t)id.array << 48)) * 0x9e3779b97f4a7c15u;
    return (mixed ^ (mixed >> 32)) & (table->chain_count - 1);
}

struct store_entry *store_table_find(const struct store_table *table, struct block_id id)
{
    if (table->chain_count == 0)
        return NULL;
    struct store_entry *entry = table->chains[chain_of(table, id)];
    while (entry && (entry->id.array != id.array || entry->id.number != id.number))
        entry = entry->chain;
    return entry;
}

static void push(struct store_table *table, struct store_entry *entry)
{
    struct store_entry **head = &table->chains[chain_of(table, entry->id)];
    entry->chain = *head;
    *head = entry;
}

static bool grow(struct store_table *table)
{
    struct store_table larger = {.chain_count = table->chain_count ? 2 * table->chain_count : 64,
                                 .count = table->count};
    larger.chains = calloc(larger.chain_count, sizeof *larger.chains);
    if (!larger.chains)
        return false;
    for (size_t i = 0; i < table->chain_count; i++)
        for (struct store_entry *entry = table->chains[i], *next; entry; entry = next) {
            next = entry->chain;
            push(&larger, entry);
        }
    free(table->chains);
    *table = larger;
    return true;
}

bool store_table_insert(struct store_table *table, struct store_entry *entry)
{
    if (table->count >= table->chain_count && !grow(table) && table->chain_count == 0)
        return false;
    push(table, entry);
    table->count++;
    return true;
}

void store_table_remove(struct store_table *table, struct store_entry *entry)
{
    struct store_entry **link = &table->chains[chain_of(table, entry->id)];
    while (*link != entry)
        link = &(*link)->chain;
    *link = entry->chain;
    table->count--;
}

struct store_entry *store_table_next(const struct store_table *table, size_t *chain,
                                     struct store_entry *entry)
{
    if (entry && entry->chain)
        return entry->chain;
    for (size_t i = entry ? *chain + 1 : 0; i < table->chain_count; i++)
        if (table->chains[i]) {
            *chain = i;
            return table->chains[i];
        }
    return NULL;
}
