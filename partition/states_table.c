/* states_table.c: states and their sets of bytes, each of which exists once. */
#include <stdlib.h>
#include <string.h>

#include "common/random.h"

#include "states_internal.h"

/* ---- sets ---- */

static struct byte_set *find_set(const struct partition_states *table,
                                 const struct partition_intervals *set, uint64_t hash)
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
    partition_intervals_free(&set->set);
    free(set);
}

enum dm_status unique_set(struct partition_states *table, const struct partition_intervals *set,
                          struct byte_set **unique)
{
    uint64_t hash = intervals_hash(set, 0);
    struct byte_set *found = find_set(table, set, hash);
    if (found) {
        *unique = found;
        return DM_OK;
    }
    struct byte_set *new = calloc(1, sizeof *new);
    if (!new)
        return error_no_memory(sizeof *new);
    new->unique.hash = hash;
    enum dm_status status = intervals_copy(&new->set, set);
    if (status == DM_OK)
        status = unique_add(&table->sets, &new->unique);
    if (status != DM_OK) {
        free_set(&new->unique);
        return status;
    }
    table->memory += bytes_of_set(new);
    *unique = new;
    return DM_OK;
}

/* ---- states ---- */

static size_t bytes_of_sets(const struct partition_states *table)
{
    return (size_t)(table->devices + 1) * sizeof(struct byte_set *);
}

static size_t bytes_of_state(const struct partition_states *table)
{
    return sizeof(struct partition_state) + bytes_of_sets(table);
}

static uint64_t hash_sets(const struct partition_states *table, const struct next_state *next)
{
    uint64_t hash = 0;
    for (int location = 0; location <= table->devices; location++)
        hash = random_bits(hash, (uint64_t)(uintptr_t)next->at[location]);
    return hash;
}

static const struct partition_state *find_state(const struct partition_states *table,
                                                const struct next_state *next, uint64_t hash)
{
    struct unique *found = unique_first(&table->states, hash);
    while (found &&
           memcmp(((struct partition_state *)found)->at, next->at, bytes_of_sets(table)) != 0)
        found = unique_next(found);
    return (struct partition_state *)found;
}

static void free_state(struct unique *object)
{
    free(object);
}

enum dm_status unique_state(struct partition_states *table, const struct next_state *next,
                            const struct partition_state **unique)
{
    uint64_t hash = hash_sets(table, next);
    const struct partition_state *found = find_state(table, next, hash);
    if (found) {
        *unique = found;
        return DM_OK;
    }
    struct partition_state *new = calloc(1, bytes_of_state(table));
    if (!new)
        return error_no_memory(bytes_of_state(table));
    new->unique.hash = hash;
    memcpy(new->at, next->at, bytes_of_sets(table));
    enum dm_status status = unique_add(&table->states, &new->unique);
    if (status != DM_OK) {
        free(new);
        return status;
    }
    table->memory += bytes_of_state(table);
    *unique = new;
    return DM_OK;
}

/* ---- the table ---- */

static enum dm_status make_initial(struct partition_states *table)
{
    struct next_state next;
    struct byte_set *empty;
    TRY(unique_set(table, &(struct partition_intervals){0}, &empty));
    for (int location = 0; location <= table->devices; location++)
        next.at[location] = empty;
    return unique_state(table, &next, &table->initial);
}

enum dm_status partition_states_create(struct partition_states **states, int devices, int64_t bytes)
{
    *states = NULL;
    if (devices < 1 || devices > PARTITION_MAX_DEVICES)
        return dm_fail(DM_INVALID, "%d devices: 1 to %d are expected", devices,
                       PARTITION_MAX_DEVICES);
    if (bytes < 0)
        return dm_fail(DM_INVALID, "a buffer of %lld bytes", (long long)bytes);
    struct partition_states *table = calloc(1, sizeof *table);
    if (!table)
        return error_no_memory(sizeof *table);
    table->devices = devices;
    table->bytes = bytes;
    enum dm_status status = make_initial(table);
    if (status != DM_OK) {
        partition_states_destroy(table);
        return status;
    }
    *states = table;
    return DM_OK;
}

void partition_states_destroy(struct partition_states *table)
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
    struct partition_state *state = (struct partition_state *)object;
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

static void mark(struct partition_states *table, const struct partition_state *kept)
{
    struct partition_state *state = (struct partition_state *)kept;
    for (int location = 0; location <= table->devices; location++)
        state->at[location]->stays = true;
    state->stays = true;
}

static size_t count_memory(const struct partition_states *table)
{
    size_t bytes = table->states.count * bytes_of_state(table);
    for (size_t i = 0; i < table->sets.capacity; i++)
        for (const struct unique *set = table->sets.heads[i]; set; set = set->next)
            bytes += bytes_of_set((const struct byte_set *)set);
    return bytes;
}

void partition_states_forget(struct partition_states *table,
                             const struct partition_state *const *kept, size_t count)
{
    mark(table, table->initial);
    for (size_t i = 0; i < count; i++)
        mark(table, kept[i]);
    unique_keep(&table->states, state_stays, free_state);
    unique_keep(&table->sets, set_stays, free_set);
    table->memory = count_memory(table);
}

const struct partition_state *partition_states_initial(const struct partition_states *table)
{
    return table->initial;
}

const struct partition_intervals *partition_states_at(const struct partition_state *state,
                                                      int location)
{
    return &state->at[location]->set;
}

size_t partition_states_memory(const struct partition_states *table)
{
    return table->memory;
}

size_t partition_states_count(const struct partition_states *table)
{
    return table->states.count;
}
