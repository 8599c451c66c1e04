/* states_internal.h: how states are kept: sets and states are unique, so that
 * equal ones are the same pointer and comparing costs nothing. */
#ifndef STATES_INTERNAL_H
#define STATES_INTERNAL_H

#include "common/error.h"

#include "intervals.h"

/* A table of unique objects; the objects begin with a struct unique. */
struct unique {
    struct unique *next; /* of those with the same place in the table */
    uint64_t hash;
};
struct unique_table {
    struct unique **heads;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
};

/* The first object with that hash, and the next one after `object`; NULL: none.
 */
struct unique *unique_first(const struct unique_table *table, uint64_t hash);
struct unique *unique_next(const struct unique *object);

/* Adds an object that is not there. DM_NO_MEMORY. */
enum dm_status unique_add(struct unique_table *table, struct unique *object);

/* Removes those that do not stay; each of them goes to `release`. */
void unique_keep(struct unique_table *table, bool (*stays)(struct unique *object),
                 void (*release)(struct unique *object));

/* Removes all; each object goes to `release`. */
void unique_clear(struct unique_table *table, void (*release)(struct unique *object));

/* A unique set of bytes. */
struct byte_set {
    struct unique unique;
    bool stays; /* while states are forgotten; false otherwise */
    struct partition_intervals set;
};

struct partition_state {
    struct unique unique;
    bool stays;            /* as in a set */
    struct byte_set *at[]; /* of each location */
};

struct partition_states {
    int devices;
    int64_t bytes;
    struct unique_table sets, states;
    size_t memory; /* bytes of sets and states */
    const struct partition_state *initial;
};

/* What the sets of all locations become; the next state is made of them. */
struct next_state {
    struct byte_set *at[PARTITION_MAX_DEVICES + 1];
};

/* The unique set equal to `set`. DM_NO_MEMORY. */
enum dm_status unique_set(struct partition_states *states, const struct partition_intervals *set,
                          struct byte_set **unique);

/* The unique state with those sets. DM_NO_MEMORY. */
enum dm_status unique_state(struct partition_states *states, const struct next_state *next,
                            const struct partition_state **unique);

#endif
