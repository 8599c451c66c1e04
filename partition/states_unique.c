/* states_unique.c: a table of objects that are found by what they hold. */
#include <stdlib.h>

#include "states_internal.h"

static struct unique *first_with(struct unique *object, uint64_t hash)
{
    while (object && object->hash != hash)
        object = object->next;
    return object;
}

struct unique *unique_first(const struct unique_table *table, uint64_t hash)
{
    if (table->capacity == 0)
        return NULL;
    return first_with(table->heads[hash & (table->capacity - 1)], hash);
}

struct unique *unique_next(const struct unique *object)
{
    return first_with(object->next, object->hash);
}

static void put(struct unique **heads, size_t capacity, struct unique *object)
{
    struct unique **head = &heads[object->hash & (capacity - 1)];
    object->next = *head;
    *head = object;
}

static enum dm_status grow(struct unique_table *table)
{
    size_t capacity = table->capacity ? 2 * table->capacity : 16;
    struct unique **heads = calloc(capacity, sizeof(struct unique *));
    if (!heads)
        return error_no_memory(capacity * sizeof *heads);
    for (size_t i = 0; i < table->capacity; i++)
        for (struct unique *object = table->heads[i], *next; object; object = next) {
            next = object->next;
            put(heads, capacity, object);
        }
    free(table->heads);
    table->heads = heads;
    table->capacity = capacity;
    return DM_OK;
}

enum dm_status unique_add(struct unique_table *table, struct unique *object)
{
    if (table->count == table->capacity)
        TRY(grow(table));
    put(table->heads, table->capacity, object);
    table->count++;
    return DM_OK;
}

void unique_keep(struct unique_table *table, bool (*stays)(struct unique *object),
                 void (*release)(struct unique *object))
{
    for (size_t i = 0; i < table->capacity; i++)
        for (struct unique **link = &table->heads[i]; *link;) {
            struct unique *object = *link;
            if (stays(object)) {
                link = &object->next;
                continue;
            }
            *link = object->next;
            table->count--;
            release(object);
        }
}

static bool never(struct unique *object)
{
    (void)object;
    return false;
}

void unique_clear(struct unique_table *table, void (*release)(struct unique *object))
{
    unique_keep(table, never, release);
    free(table->heads);
    *table = (struct unique_table){0};
}
