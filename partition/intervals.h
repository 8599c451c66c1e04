/* intervals.h: operations on sets of integers (struct partition_intervals).
 *
 * Functions that allocate fail with DM_NO_MEMORY alone. `out` starts from {0} or is replaced, and
 * is not one of the operands. */
#ifndef INTERVALS_H
#define INTERVALS_H

#include <datamotion/partition.h>

/* `count` sets and the array that holds them, or NULL. */
void intervals_free_array(struct partition_intervals *sets, int count);

enum dm_status intervals_copy(struct partition_intervals *out, const struct partition_intervals *a);
enum dm_status intervals_union(struct partition_intervals *out, const struct partition_intervals *a,
                               const struct partition_intervals *b);
enum dm_status intervals_intersect(struct partition_intervals *out,
                                   const struct partition_intervals *a,
                                   const struct partition_intervals *b);
enum dm_status intervals_subtract(struct partition_intervals *out,
                                  const struct partition_intervals *a,
                                  const struct partition_intervals *b);

/* In place: set = set united with b, set = set without b. */
enum dm_status intervals_add(struct partition_intervals *set, const struct partition_intervals *b);
enum dm_status intervals_remove(struct partition_intervals *set,
                                const struct partition_intervals *b);

/* From elements to bytes: a range [b, e) becomes [offset + scale * b, offset + scale * e). Also
 * DM_INVALID: one of them is beyond 64 bits. */
enum dm_status intervals_scale(struct partition_intervals *out, const struct partition_intervals *a,
                               int64_t scale, int64_t offset);

bool intervals_equal(const struct partition_intervals *a, const struct partition_intervals *b);
uint64_t intervals_hash(const struct partition_intervals *set, uint64_t seed);
int64_t intervals_total(const struct partition_intervals *set);

/* The set as few strided runs, in order; the caller frees *runs, which is NULL for an empty set. */
enum dm_status intervals_strided(const struct partition_intervals *set,
                                 struct partition_runs **runs, size_t *count);

#endif
