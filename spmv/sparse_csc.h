/* sparse_csc.h: compressed columns. The same struct describes the host's side and the device's. */
#ifndef SPMV_SPARSE_CSC_H
#define SPMV_SPARSE_CSC_H

#include "sparse_format_internal.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sparse_csc {
    struct sparse_starts starts; /* of columns */
    int32_t *row;
    void *value;
};

/* The format's `convert` and `drop_device`, see sparse_format.h. */
bool sparse_csc_convert(struct sparse_matrix *matrix, const struct sparse_csr_device *csr,
                        cudaStream_t stream, struct sparse_error *error);
void sparse_csc_drop_device(struct sparse_matrix *matrix);

/* y <- y + alpha A x; a column of usual length has `lanes` threads, a power of two up to 32. */
void sparse_csc_launch(const struct sparse_csc *csc, enum sparse_precision precision, int lanes,
                       double alpha, const void *x, void *y, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
