/* intervals.h: sets of integers as sorted, disjoint, half-open intervals that
 * do not touch. */
#ifndef INTERVALS_H
#define INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct index_range {
    int64_t begin, end;
};

struct intervals {
    struct index_range *items;
    size_t count, capacity;
};

/* Runs of equal length at equal distance: what a two-dimensional copy takes. */
struct strided {
    int64_t begin, length;
    int64_t count, stride;
};

/* All start from {0}. Functions that allocate return false when there is no
 * memory; `out` may not be one of the operands. Its old contents are replaced.
 */
void intervals_free(struct intervals *set);
/* `count` sets and the array that holds them, or NULL. */
void intervals_free_array(struct intervals *sets, int count);
bool intervals_push(struct intervals *set, int64_t begin, int64_t end); /* any order; then ... */
void intervals_normalise(struct intervals *set);                        /* sorts and merges */
bool intervals_copy(struct intervals *out, const struct intervals *a);
bool intervals_union(struct intervals *out, const struct intervals *a, const struct intervals *b);
bool intervals_intersect(struct intervals *out, const struct intervals *a,
                         const struct intervals *b);
bool intervals_subtract(struct intervals *out, const struct intervals *a,
                        const struct intervals *b);
/* In place: set = set united with b, set = set without b. */
bool intervals_add(struct intervals *set, const struct intervals *b);
bool intervals_remove(struct intervals *set, const struct intervals *b);
/* out = { offset + scale * i ... } of elements: an interval [b, e) becomes
 * [offset + scale * b, offset + scale * e). For elements to bytes. Also false if one of them is
 * beyond 64 bits. */
bool intervals_scale(struct intervals *out, const struct intervals *a, int64_t scale,
                     int64_t offset);
bool intervals_equal(const struct intervals *a, const struct intervals *b);
uint64_t intervals_hash(const struct intervals *set, uint64_t seed);
int64_t intervals_total(const struct intervals *set);

/* The set as few strided runs, in order; the caller frees *runs. Returns their
 * number, or -1. */
ptrdiff_t intervals_strided(const struct intervals *set, struct strided **runs);

#endif
