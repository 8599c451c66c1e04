/* loop.h: how index sets follow one another, and which worker gets which.
 *
 * Five ways (Peshne 2018, 4.2.1). All give each valid index set to exactly one worker, in the order
 * of the rightmost index fastest:
 *
 *   LOOP_SEQUENTIAL   all sets to worker 0
 *   LOOP_STATIC       the sets of the full product are dealt cyclically, then where clauses drop
 *                     some: a worker may be left with nothing, or with everything
 *   LOOP_BALANCED     where clauses first; only valid sets are dealt, so workers differ by at
 *                     most one
 *   LOOP_FRAGMENTED   as balanced; rows and columns of a sparse array that hold no block are
 *                     skipped without looking at their sets
 *   LOOP_DO           one worker's own loop: all sets to every worker
 */
#ifndef PREFETCH_SIP_LOOP_H
#define PREFETCH_SIP_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prefetch/sip/block_map.h"
#include "prefetch/sip/index_list.h"

enum loop_kind { LOOP_SEQUENTIAL, LOOP_STATIC, LOOP_BALANCED, LOOP_FRAGMENTED, LOOP_DO };

struct loop {
    enum loop_kind kind;
    int count;                                   /* indices, 1 to INDEX_SET_MAX */
    int low[INDEX_SET_MAX], high[INDEX_SET_MAX]; /* inclusive; high < low: an empty loop */
    int worker, workers;
    /* Where clauses: whether the loop visits the set; NULL: always. Must be pure while the loop
     * runs. */
    bool (*valid)(void *context, const struct index_set *set);
    void *valid_context;
    /* Clause nonzero: only sets whose block exists. NULL: none. map_index[d]: which of the loop's
     * indices is the map's dimension d, or -1: the fixed value map_fixed[d] (an index of an
     * enclosing loop). */
    const struct block_map *map;
    int map_index[INDEX_SET_MAX];
    int map_fixed[INDEX_SET_MAX];
    uint64_t *looked_at; /* counts index sets that were generated and tested, also those dropped;
                            may be NULL */
};

/* An index_source with the loop as its context. The loop must not change while the source is in
 * use. */
struct index_source loop_source(const struct loop *loop);

#endif
