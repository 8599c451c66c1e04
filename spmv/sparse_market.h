/* sparse_market.h: Matrix Market files, plain or compressed with gzip.
 *
 * Format: Boisvert, Pozo, Remington, "The Matrix Market Exchange Formats", NISTIR 5935, 1996.
 * Coordinate and array files; fields real, integer, pattern (all ones), complex (refused: products
 * here are real); symmetries general, symmetric, skew-symmetric, hermitian (of real values: as
 * symmetric). Comments and blank lines may stand anywhere before and between the entries. */
#ifndef SPMV_SPARSE_MARKET_H
#define SPMV_SPARSE_MARKET_H

#include "sparse.h"

/* Reads line by line, so that the file may be larger than memory beside the matrix. False: `file:
 * line 17: expected a column from 1 to 20, found 21`. The matrix is finished; what symmetry implies
 * is stored. Duplicates are added up and counted. Zeros of an array file are not stored. Refused
 * are also numbers that are not finite, entries above the diagonal where the symmetry implies them,
 * and sizes that the file or the memory of this machine cannot hold, before memory is taken. */
bool sparse_market_read(struct sparse_coo *coo, const char *path, struct sparse_error *error);

/* The same from memory, for tests; `name` stands in messages. */
bool sparse_market_parse(struct sparse_coo *coo, const char *text, size_t bytes, const char *name,
                         struct sparse_error *error);

/* Writes `coordinate real general`, 17 significant digits; compressed if the path ends in .gz.
 * Lines of `comment` (NULL: none) come first. The file appears under its name when it is complete;
 * an unfinished one is removed. False: it cannot be written, or a value is not finite. */
bool sparse_market_write(const struct sparse_coo *coo, const char *path, const char *comment,
                         struct sparse_error *error);

#endif
