/* sparse_hyb.h: where HYB cuts the rows: what is left of the cut goes into a rectangle (ELL), what
 * is right of it into a list (COO). */
#ifndef SPMV_SPARSE_HYB_H
#define SPMV_SPARSE_HYB_H

#include "sparse.h"

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
struct sparse_hyb_cut sparse_hyb_cut(const struct sparse_coo *coo);

#endif
