#include "pointer_table.h"

#include <stdint.h>
#include <stdlib.h>

/* Multiplicative hashing: the upper half of the product depends on all bits of the address. */
static size_t home_of(const struct pointer_table *table, const void *pointer)
{
    return (size_t)(((uintptr_t)pointer * 0x9e3779b97f4a7c15u) >> 32) & (table->capacity - 1);
}

static size_t place_of(const struct pointer_table *table, const void *pointer)
{
    size_t place = home_of(table, pointer);
    while (table->places[place].pointer && table->places[place].pointer != pointer)
        place = (place + 1) & (table->capacity - 1);
    return place;
}

struct block_record *pointer_table_find(const struct pointer_table *table, const void *pointer)
{
    if (!table->count || !pointer)
        return NULL;
    struct block_record *record = &table->places[place_of(table, pointer)];
    return record->pointer ? record : NULL;
}

static bool enlarge(struct pointer_table *table)
{
    struct pointer_table larger = {.capacity = table->capacity ? 2 * table->capacity : 64,
                                   .count = table->count};
    larger.places = calloc(larger.capacity, sizeof *larger.places);
    if (!larger.places)
        return false;
    for (size_t i = 0; i < table->capacity; i++)
        if (table->places[i].pointer)
            larger.places[place_of(&larger, table->places[i].pointer)] = table->places[i];
    free(table->places);
    *table = larger;
    return true;
}

bool pointer_table_insert(struct pointer_table *table, struct block_record record)
{
    if (2 * (table->count + 1) > table->capacity && !enlarge(table))
        return false;
    table->places[place_of(table, record.pointer)] = record;
    table->count++;
    return true;
}

/* Later records of the same run move up, so that no search stops at the gap too early. */
void pointer_table_remove(struct pointer_table *table, const void *pointer)
{
    size_t mask = table->capacity - 1, gap = place_of(table, pointer);
    for (size_t next = (gap + 1) & mask; table->places[next].pointer; next = (next + 1) & mask) {
        size_t home = home_of(table, table->places[next].pointer);
        if (((next - home) & mask) >= ((next - gap) & mask)) {
            table->places[gap] = table->places[next];
            gap = next;
        }
    }
    table->places[gap] = (struct block_record){0};
    table->count--;
}
