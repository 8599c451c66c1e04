/* super_internal.h: what the super instructions of the project share. */
#ifndef PREFETCH_SIP_SUPER_INTERNAL_H
#define PREFETCH_SIP_SUPER_INTERNAL_H

#include <datamotion/prefetch_program.h>

/* What an argument has to be, one letter each. */
enum super_kind {
    SUPER_BLOCK = 'b',
    SUPER_NUMBER = 'n', /* of any kind: scalar, number, int, index */
    SUPER_WHOLE = 'i',  /* a number without a fraction, below 2^53 */
    SUPER_SCALAR = 's'  /* a scalar, because a result is written into it */
};

/* NULL: there is none of this name. */
const struct prefetch_instruction *super_find(const char *name);

/* DM_INVALID unless there are as many arguments as letters, each of its kind. */
enum dm_status super_expect(const struct prefetch_argument *arguments, int count,
                            const char *kinds);

size_t super_elements(const struct prefetch_argument *block);

/* DM_INVALID unless both are blocks of the same extents. */
enum dm_status super_same_shape(const struct prefetch_argument *a,
                                const struct prefetch_argument *b);

/* Position of element `element` (row-major) along a dimension of the whole array, from 0 at the
 * segment of value 1. */
int64_t super_position(const struct prefetch_argument *block, size_t element, int dimension);

typedef enum dm_status super_run(struct prefetch_argument *arguments, int count,
                                 struct prefetch_context *context);

/* super_fill.c */
super_run super_fill_cyclic, super_fill_sequential, super_fill_random, super_fill_symmetric,
    super_fill_position;
/* super_blocks.c */
super_run super_divide, super_add_to_diagonal, super_set_diagonal, super_denominator;
/* super_checks.c */
super_run super_assert_close, super_assert_below, super_assert_block, super_norm, super_maxabs,
    super_sum, super_print;
/* super_run_time.c */
super_run super_compute_for, super_set_prefetch;

#endif
