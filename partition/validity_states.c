/* validity_states.c: states and their sets of bytes, each of which exists once. */
#include <stdlib.h>
#include <string.h>

#include "common/random.h"

#include "validity_internal.h"

/* ---- sets ---- */

static struct byte_set *find_set(const struct validity_table *table, const struct intervals *set,
                                 uint64_t hash)
{
    struct unique *found = unique_first(&table->sets, hash);
    while (found && !intervals_equal(&((struct byte_set *)found)->set, set))
        found = unique_next(found);
    return (struct byte_set *)found;
}

static size_t bytes_of_set(const struct byte_set *set)
{
    return sizeof *set + set->set.capacity * sizeof *set->set.items;
}

static void free_set(struct unique *object)
{
    struct byte_set *set = (struct byte_set *)object;
    intervals_free(&set->set);
    free(set);
}

struct byte_set *unique_set(struct validity_table *table, const struct intervals *set)
{
    uint64_t hash = intervals_hash(set, 0);
    struct byte_set *found = find_set(table, set, hash);
    if (found)
        return found;
    struct byte_set *new = calloc(1, sizeof *new);
    if (!new)
        return NULL;
    new->unique.hash = hash;
    if (intervals_copy(&new->set, set) && unique_add(&table->sets, &new->unique)) {
        table->memory += bytes_of_set(new);
        return new;
    }
    free_set(&new->unique);
    return NULL;
}

/* ---- states ---- */

static size_t bytes_of_sets(const struct validity_table *table)
{
    return (size_t)(table->devices + 1) * sizeof(struct byte_set *);
}

static size_t bytes_of_state(const struct validity_table *table)
{
    return sizeof(struct validity) + bytes_of_sets(table);
}

static uint64_t hash_sets(const struct validity_table *table, const struct next_state *next)
{
    uint64_t hash = 0;
    for (int location = 0; location <= table->devices; location++)
        hash = random_bits(hash, (uint64_t)(uintptr_t)next->at[location]);
    return hash;
}

static const struct validity *find_state(const struct validity_table *table,
                                         const struct next_state *next, uint64_t hash)
{
    struct unique *found = unique_first(&table->states, hash);
    while (found && memcmp(((struct validity *)found)->at, next->at, bytes_of_sets(table)) != 0)
        found = unique_next(found);
    return (struct validity *)found;
}

static void free_state(struct unique *object)
{
    free(object);
}

const struct validity *unique_state(struct validity_table *table, const struct next_state *next)
{
    uint64_t hash = hash_sets(table, next);
    const struct validity *found = find_state(table, next, hash);
    if (found)
        return found;
    struct validity *new = calloc(1, bytes_of_state(table));
    if (!new)
        return NULL;
    new->unique.hash = hash;
    memcpy(new->at, next->at, bytes_of_sets(table));
    if (unique_add(&table->states, &new->unique)) {
        table->memory += bytes_of_state(table);
        return new;
    }
    free(new);
    return NULL;
}

/* ---- the table ---- */

static const struct validity *make_initial(struct validity_table *table)
{
    struct next_state next;
    struct byte_set *empty = unique_set(table, &(struct intervals){0});
    if (!empty)
        return NULL;
    for (int location = 0; location <= table->devices; location++)
        next.at[location] = empty;
    return unique_state(table, &next);
}

struct validity_table *validity_create(int devices, int64_t bytes)
{
    if (devices < 1 || devices > PARTITION_MAX_DEVICES || bytes < 0)
        return NULL;
    struct validity_table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    table->devices = devices;
    table->bytes = bytes;
    table->initial = make_initial(table);
    if (table->initial)
        return table;
    validity_destroy(table);
    return NULL;
}

void validity_destroy(struct validity_table *table)
{
    if (!table)
        return;
    unique_clear(&table->states, free_state);
    unique_clear(&table->sets, free_set);
    free(table);
}

/* ---- forgetting ---- */

/* Marks are taken back on the way, so that none is left. */
static bool state_stays(struct unique *object)
{
    struct validity *state = (struct validity *)object;
    bool stays = state->stays;
    state->stays = false;
    return stays;
}

static bool set_stays(struct unique *object)
{
    struct byte_set *set = (struct byte_set *)object;
    bool stays = set->stays;
    set->stays = false;
    return stays;
}

static void mark(struct validity_table *table, const struct validity *kept)
{
    struct validity *state = (struct validity *)kept;
    for (int location = 0; location <= table->devices; location++)
        state->at[location]->stays = true;
    state->stays = true;
}

static size_t count_memory(const struct validity_table *table)
{
    size_t bytes = table->states.count * bytes_of_state(table);
    for (size_t i = 0; i < table->sets.capacity; i++)
        for (const struct unique *set = table->sets.heads[i]; set; set = set->next)
            bytes += bytes_of_set((const struct byte_set *)set);
    return bytes;
}

void validity_forget(struct validity_table *table, const struct validity *const *kept, size_t count)
{
    mark(table, table->initial);
    for (size_t i = 0; i < count; i++)
        mark(table, kept[i]);
    unique_keep(&table->states, state_stays, free_state);
    unique_keep(&table->sets, set_stays, free_set);
    table->memory = count_memory(table);
}

const struct validity *validity_initial(struct validity_table *table)
{
    return table->initial;
}

const struct intervals *validity_at(const struct validity *state, int location)
{
    return &state->at[location]->set;
}

size_t validity_memory(const struct validity_table *table)
{
    return table->memory;
}

size_t validity_states(const struct validity_table *table)
{
    return table->states.count;
}
