/* loop_case.h: loops over i and j whose index sets are known by plain enumeration. */
#ifndef PREFETCH_LOOP_CASE_H
#define PREFETCH_LOOP_CASE_H

#include "prefetch/sip/loop.h"

enum { LOOP_CASES = 4 };

/* Both indices run from 1 to `range`. */
struct loop_case {
    const char *name;
    int64_t range, workers;
    /* The where clause, with the case as its context; NULL: none. */
    bool (*valid)(void *loop_case, const struct index_set *set);
    bool *exists; /* by block; NULL: not sparse. In memory of the open scope. */
    int64_t blocks;
    struct block_map *map;
};

/* all, i <= j, every set whose number is a multiple of `workers`, and the blocks of a sparse array:
 * 5 %, all of them in every second row. */
void loop_cases_open(struct loop_case cases[LOOP_CASES], int64_t range, int64_t workers,
                     uint64_t seed);
void loop_cases_close(struct loop_case cases[LOOP_CASES]);

/* Position of a set in row-major order, from 0. */
size_t loop_case_number(const struct loop_case *loop_case, const struct index_set *set);

/* Sets that were visited too often or not at all; `visits` by number of the set, NULL: none are
 * counted. *valid: sets that should be visited. */
long loop_case_compare(const struct loop_case *loop_case, const int *visits, int64_t *valid);

#endif
