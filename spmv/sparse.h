/* sparse.h: a sparse matrix as a list of entries (COO), the hub between files, generators and the
 * formats in which products are computed (sparse_format.h). */
#ifndef SPMV_SPARSE_H
#define SPMV_SPARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why something was refused, as a sentence without a stop that says what to do. */
struct sparse_error {
    char text[256];
};

/* Sets the sentence; false, so that what fails can return it. */
bool sparse_refuse(struct sparse_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Rows and columns count from 0; there may be more than 2^31 entries. Zero is what is empty. */
struct sparse_coo {
    int64_t rows, columns; /* 1 .. 2^31 - 1 */
    int64_t entries;
    int32_t *row, *column; /* entries each */
    double *value;
    int64_t capacity;
    int64_t duplicates; /* entries that sparse_coo_finish added to others of the same place */
};

/* An empty matrix with room for `entries`. False: a size is out of range, or no memory. */
bool sparse_coo_open(struct sparse_coo *coo, int64_t rows, int64_t columns, int64_t entries,
                     struct sparse_error *error);

/* Appends an entry; makes room when needed. False: the place is outside the matrix, or no memory.
 */
bool sparse_coo_add(struct sparse_coo *coo, int64_t row, int64_t column, double value,
                    struct sparse_error *error);

/* Sorts by row, then by column, and adds up entries of one place (they are counted). Everything
 * that takes a matrix wants it finished. False: no memory. */
bool sparse_coo_finish(struct sparse_coo *coo, struct sparse_error *error);

void sparse_coo_close(struct sparse_coo *coo);

/* The first entry of a finished matrix that is in `row` or behind it; `entries` if there is none.
 */
int64_t sparse_coo_first_entry(const struct sparse_coo *coo, int64_t row);

/* The rows [first, first + count) as a matrix of their own, with all columns. */
bool sparse_coo_rows(struct sparse_coo *part, const struct sparse_coo *coo, int64_t first,
                     int64_t count, struct sparse_error *error);

/* Whether floats can hold all values. False: one is too large; the sentence says which. */
bool sparse_coo_fits_float(const struct sparse_coo *coo, struct sparse_error *error);

/* Row lengths of a finished matrix. */
struct sparse_profile {
    int64_t shortest, longest, empty_rows;
    double mean, deviation; /* standard deviation */
};
struct sparse_profile sparse_coo_profile(const struct sparse_coo *coo);

/* Bytes that a product has to move at least, by which bandwidths are given so that formats compare:
 * CSR's with 4-byte indices, x and y once. value_bytes: 4 or 8. */
double sparse_product_bytes(const struct sparse_coo *coo, size_t value_bytes);

/* y <- alpha A x + beta y in extended precision, entry by entry: what every format is compared
 * with. y is not read when beta is 0. magnitude[row], if not NULL: |alpha| sum |a x| + |beta y|. */
void sparse_reference(const struct sparse_coo *coo, double alpha, const double *x, double beta,
                      double *y, double *magnitude);

/* The largest |result - exact| / ((entries of the row + 2) eps magnitude) over all rows: at most 1
 * for a right product of precision eps, whose roundings are half as large (bound of a dot product
 * of any order, Higham 2002, 3.1; underflow is allowed for). Rows where the exact value is NaN or
 * infinite count 0 if the result is the same, else infinity. `result` is float or double. */
double sparse_error_ratio(const struct sparse_coo *coo, const void *result, bool is_double,
                          const double *exact, const double *magnitude);

#endif
