/* cusparse_arrays.h: the arrays that cuSPARSE takes, built on the host. */
#ifndef SPMV_BENCH_CUSPARSE_ARRAYS_H
#define SPMV_BENCH_CUSPARSE_ARRAYS_H

#include <datamotion/spmv.h>

/* Rows of a slice of sliced ELL: those of a warp. */
enum { SPMV_SLICE_ROWS = 32 };

struct spmv_arrays {
    int64_t stored;  /* values, padding included */
    int64_t slices;  /* of sliced ELL */
    int32_t *starts; /* where each row, or slice, begins, and the end */
    int32_t *column;
    void *value;
};

/* CSR; COO is the same without the starts. The matrix has at most 2^31 - 1 entries. */
void spmv_arrays_entries(struct spmv_arrays *arrays, const struct spmv_coo *coo,
                         enum spmv_precision precision);

/* Sliced ELL: slices of rows as wide as their longest row, each stored by columns, so that the
 * threads of a warp read neighbours. Padding has column -1. DM_NO_MEMORY: it exceeds the memory
 * limit of the options; DM_INVALID: 32-bit offsets do not suffice. */
enum dm_status spmv_arrays_slices(struct spmv_arrays *arrays, const struct spmv_coo *coo,
                                  const struct spmv_options *options);

void spmv_arrays_free(struct spmv_arrays *arrays);

#endif
