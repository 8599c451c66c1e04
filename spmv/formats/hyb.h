/* hyb.h: where HYB cuts the rows: what is left of the cut goes into a rectangle (ELL), what
 * is right of it into a list (COO). */
#ifndef SPMV_FORMATS_HYB_H
#define SPMV_FORMATS_HYB_H

#include "ell.h"

/* On the host, and on the device: which of their sides the list has is that of the rest. */
struct sparse_hyb {
    struct sparse_ell ell;
    struct spmv_matrix rest; /* in COO */
};

struct sparse_hyb_cut {
    int64_t width; /* of the rectangle; 0: all entries go into the list */
    int64_t rest;  /* entries of the list */
};

/* The widest rectangle that at least a third of the rows fill, up to 4096 values. Wants a finished
 * matrix.
 *
 * Source: Bell and Garland, "Implementing sparse matrix-vector multiplication on
 * throughput-oriented processors", SC 2009: a value in ELL, padding or not, takes a third of the
 * time of one in COO. Their lower bound of 4096 rows, which fits the GPU they had, is left out. */
struct sparse_hyb_cut sparse_hyb_cut(const struct spmv_coo *coo);

/* The same from the numbers of rows of each length, the last of all longer ones as well. */
enum { SPARSE_HYB_WIDEST = 4096 };
struct sparse_hyb_cut sparse_hyb_cut_of(const int32_t rows_of[SPARSE_HYB_WIDEST + 1], int64_t rows,
                                        int64_t entries);

/* Values and bytes of both parts. */
void sparse_hyb_size(int64_t rows, struct sparse_hyb_cut cut, const struct spmv_options *options,
                     size_t *value_bytes, size_t *index_bytes, int64_t *stored);

/* The format's `convert`, see format.h. */
enum dm_status sparse_hyb_convert(struct spmv_matrix *matrix, const struct sparse_csr_device *csr,
                                  cudaStream_t stream);

#endif
