/* sparse_generate_internal.h: the generators, and what they share. */
#ifndef SPMV_SPARSE_GENERATE_INTERNAL_H
#define SPMV_SPARSE_GENERATE_INTERNAL_H

#include "sparse_generate.h"

/* Gives all entries random values so that each row's sum is 1 (or 0: an empty row), all positive:
 * then iterated products keep the size of their vector. */
void sparse_generate_values(struct sparse_coo *coo, uint64_t seed);

/* Appends `count` columns to a row: one at random from each of `count` equal ranges of all columns,
 * so that they are ascending and different. count <= coo->columns. */
bool sparse_generate_spread(struct sparse_coo *coo, int64_t row, int64_t count, uint64_t seed,
                            struct sparse_error *error);

/* A parameter, at least 0, as a whole number. False: it has a fraction, or is larger than any
 * matrix; the sentence begins with `what` it is. */
bool sparse_generate_whole(double parameter, const char *what, int64_t *number,
                           struct sparse_error *error);

typedef bool sparse_generate_function(struct sparse_coo *coo, int64_t size, double parameter,
                                      uint64_t seed, struct sparse_error *error);

sparse_generate_function sparse_generate_pde, sparse_generate_point5, sparse_generate_point7,
    sparse_generate_point27, sparse_generate_fem; /* sparse_generate_mesh.c */
sparse_generate_function sparse_generate_banded, sparse_generate_dense_row,
    sparse_generate_diagonal; /* sparse_generate_band.c */
sparse_generate_function sparse_generate_power, sparse_generate_empty_rows, sparse_generate_random,
    sparse_generate_varied, sparse_generate_rectangular; /* sparse_generate_rows.c */

#endif
