/* super_internal.h: what the super instructions of the project share. */
#ifndef PREFETCH_SIP_SUPER_INTERNAL_H
#define PREFETCH_SIP_SUPER_INTERNAL_H

#include "prefetch/sip/sip.h"

/* What an argument has to be, one letter each. */
enum super_kind {
    SUPER_BLOCK = 'b',
    SUPER_NUMBER = 'n', /* of any kind: scalar, number, int, index */
    SUPER_WHOLE = 'i',  /* a number without a fraction, below 2^53 */
    SUPER_SCALAR = 's'  /* a scalar, because a result is written into it */
};

/* Whether there are as many arguments as letters, each of its kind. False: the sentence is in
 * context->error. */
bool super_expect(const struct super_argument *arguments, int count, const char *kinds,
                  struct super_context *context);

/* Writes the sentence, and is false: `return super_fail(context, ...)`. */
bool super_fail(struct super_context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

size_t super_elements(const struct super_argument *block);

/* Whether both are blocks of the same extents; else the sentence is written. */
bool super_same_shape(const struct super_argument *a, const struct super_argument *b,
                      struct super_context *context);

/* Position of element `element` (row-major) along a dimension of the whole array, from 0 at the
 * segment of value 1. */
int64_t super_position(const struct super_argument *block, size_t element, int dimension);

typedef bool super_run(struct super_argument *arguments, int count, struct super_context *context);

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
