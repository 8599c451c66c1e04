/* validity.h: which device has the latest value of every byte of a buffer, and what must be copied.
 *
 * A state says for each location (device 0 ... devices - 1, and the host as number `devices`) which
 * bytes are up to date there. States are immutable and unique: the same sets are the same pointer.
 * So what a launch does to a buffer, the copies and the next state, is a function of the state and
 * the launch, and a program that repeats its launches comes back to states that are known: the
 * transition is looked up, nothing is computed. States live until they are forgotten. */
#ifndef VALIDITY_H
#define VALIDITY_H

#include "intervals.h"
#include "partition.h"

struct validity; /* a state */
struct validity_table;

/* Bytes [begin, begin + length), count times at distance stride, from one location to another. */
struct device_copy {
    int from, to;
    struct strided bytes;
};

struct transition {
    const struct validity *next;
    struct device_copy *copies; /* ordered by `to`, then `from` */
    size_t copy_count;
};

/* NULL without memory, also below. `bytes`: of the buffer. */
struct validity_table *validity_create(int devices, int64_t bytes);
void validity_destroy(struct validity_table *table);

/* Nothing is up to date anywhere (fresh memory may be read from wherever it is). */
const struct validity *validity_initial(struct validity_table *table);

/* Bytes `range` have been written at the location, and are stale at all others. */
const struct validity *validity_written(struct validity_table *table, const struct validity *state,
                                        int location, const struct intervals *range);

/* A launch reads reads[d] and then writes writes[d] on device d (`devices` entries each; sets reach
 * at most from 0 to `bytes`). Missing bytes come from another device if one has them, from the host
 * otherwise; bytes that nobody has are not copied. What was read is up to date there too. If two
 * devices write the same byte, the result is undefined: false, reason. `coalesce` false: one copy
 * per interval of `unit` bytes instead of strided runs. */
bool validity_launch(struct validity_table *table, const struct validity *state,
                     const struct intervals *reads, const struct intervals *writes, bool coalesce,
                     int64_t unit, struct transition *out, char reason[PARTITION_REASON]);

/* What has to be copied so that bytes `range` are up to date at the location, which then holds them
 * too (location = devices: the host, for a gather). */
bool validity_fetch(struct validity_table *table, const struct validity *state, int location,
                    const struct intervals *range, struct transition *out,
                    char reason[PARTITION_REASON]);

/* The bytes that are up to date at a location. */
const struct intervals *validity_at(const struct validity *state, int location);

/* Bytes of memory that the states take. */
size_t validity_memory(const struct validity_table *table);

/* Frees all states but the initial one and these, for programs that never come back to most of
 * theirs. A state that comes about again afterwards may be another pointer than before. */
void validity_forget(struct validity_table *table, const struct validity *const *kept,
                     size_t count);

/* Number of different states that there are. */
size_t validity_states(const struct validity_table *table);

void transition_free(struct transition *transition);

#endif
