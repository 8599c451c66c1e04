/* reference.h: what every format is compared with: the same product in extended precision, how near
 * to it a right one is, and what a product has to move. */
#ifndef SPMV_BENCH_REFERENCE_H
#define SPMV_BENCH_REFERENCE_H

#include <datamotion/spmv.h>

/* Row lengths of a finished matrix. */
struct sparse_profile {
    int64_t shortest, longest, empty_rows;
    double mean, deviation; /* standard deviation */
};
struct sparse_profile sparse_coo_profile(const struct spmv_coo *coo);

/* Bytes that a product has to move at least, by which bandwidths are given so that formats compare:
 * CSR's with 4-byte indices, x and y once. value_bytes: 4 or 8. */
double sparse_product_bytes(const struct spmv_coo *coo, size_t value_bytes);

/* y <- alpha A x + beta y in extended precision, entry by entry: what every format is compared
 * with. y is not read when beta is 0. magnitude[row], if not NULL: |alpha| sum |a x| + |beta y|. */
void sparse_reference(const struct spmv_coo *coo, double alpha, const double *x, double beta,
                      double *y, double *magnitude);

/* The largest |result - exact| / ((entries of the row + 2) eps magnitude) over all rows: at most 1
 * for a right product of precision eps, whose roundings are half as large (bound of a dot product
 * of any order, Higham 2002, 3.1; underflow is allowed for). Rows where the exact value is NaN or
 * infinite count 0 if the result is the same, else infinity. `result` is float or double. */
double sparse_error_ratio(const struct spmv_coo *coo, const void *result, bool is_double,
                          const double *exact, const double *magnitude);

#endif
