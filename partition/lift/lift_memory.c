/* lift_memory.c: memory that is released at once, and tables by name. */
#include <stdlib.h>
#include <string.h>

#include "lift.h"

struct lift_chunk {
    struct lift_chunk *next;
    max_align_t bytes[];
};

void *lift_allocate(struct lift_memory *memory, size_t bytes)
{
    struct lift_chunk *chunk = calloc(1, sizeof *chunk + bytes);
    if (!chunk) {
        fputs("partition-lift: there is not enough memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    chunk->next = memory->chunks;
    memory->chunks = chunk;
    return chunk->bytes;
}

char *lift_copy(struct lift_memory *memory, const char *text, size_t length)
{
    char *copy = lift_allocate(memory, length + 1);
    memcpy(copy, text, length);
    return copy;
}

void *lift_grow(struct lift_memory *memory, void *items, size_t count, size_t item_bytes)
{
    bool is_full = (count & (count - 1)) == 0; /* room for a power of two */
    if (!is_full)
        return items;
    void *larger = lift_allocate(memory, (count ? 2 * count : 1) * item_bytes);
    if (count)
        memcpy(larger, items, count * item_bytes);
    return larger;
}

void lift_release(struct lift_memory *memory)
{
    while (memory->chunks) {
        struct lift_chunk *next = memory->chunks->next;
        free(memory->chunks);
        memory->chunks = next;
    }
}

/* ---- tables ---- */

struct lift_entry {
    const char *name;
    void *value;
};

static struct lift_entry *place_of(struct lift_entry *entries, size_t room, const char *name)
{
    size_t hash = 5381;
    for (const char *at = name; *at; at++)
        hash = hash * 33 + (unsigned char)*at;
    size_t place = hash & (room - 1);
    while (entries[place].name && strcmp(entries[place].name, name) != 0)
        place = (place + 1) & (room - 1);
    return &entries[place];
}

void *lift_find(const struct lift_table *table, const char *name)
{
    return table->room ? place_of(table->entries, table->room, name)->value : NULL;
}

static void enlarge(struct lift_memory *memory, struct lift_table *table)
{
    size_t room = table->room ? 2 * table->room : 16;
    struct lift_entry *entries = lift_allocate(memory, room * sizeof *entries);
    for (size_t i = 0; i < table->room; i++)
        if (table->entries[i].name)
            *place_of(entries, room, table->entries[i].name) = table->entries[i];
    table->entries = entries;
    table->room = room;
}

void lift_insert(struct lift_memory *memory, struct lift_table *table, const char *name,
                 void *value)
{
    if (2 * table->count >= table->room)
        enlarge(memory, table);
    struct lift_entry *entry = place_of(table->entries, table->room, name);
    table->count += !entry->name;
    *entry = (struct lift_entry){name, value};
}
