/* generate_internal.h: the generators, and what they share. */
#ifndef SPMV_BENCH_GENERATE_INTERNAL_H
#define SPMV_BENCH_GENERATE_INTERNAL_H

#include "common/error.h"

#include "generate.h"

/* Gives all entries random values so that each row's sum is 1 (or 0: an empty row), all positive:
 * then iterated products keep the size of their vector. */
void sparse_generate_values(struct spmv_coo *coo, uint64_t seed);

/* Appends `count` columns to a row: one at random from each of `count` equal ranges of all columns,
 * so that they are ascending and different. count <= coo->columns. */
enum dm_status sparse_generate_spread(struct spmv_coo *coo, int64_t row, int64_t count,
                                      uint64_t seed);

/* A parameter, at least 0, as a whole number. DM_INVALID: it has a fraction, or is larger than any
 * matrix; the sentence begins with `what` it is. */
enum dm_status sparse_generate_whole(double parameter, const char *what, int64_t *number);

typedef enum dm_status sparse_generate_function(struct spmv_coo *coo, int64_t size,
                                                double parameter, uint64_t seed);

sparse_generate_function sparse_generate_pde, sparse_generate_point5, sparse_generate_point7,
    sparse_generate_point27, sparse_generate_fem; /* generate_mesh.c */
sparse_generate_function sparse_generate_banded, sparse_generate_dense_row,
    sparse_generate_diagonal; /* generate_band.c */
sparse_generate_function sparse_generate_power, sparse_generate_empty_rows, sparse_generate_random,
    sparse_generate_varied, sparse_generate_rectangular; /* generate_rows.c */

#endif
