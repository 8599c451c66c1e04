/* csc.h: compressed columns. The same struct describes the host's side and the device's. */
#ifndef SPMV_FORMATS_CSC_H
#define SPMV_FORMATS_CSC_H

#include "format.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sparse_csc {
    struct sparse_starts starts; /* of columns */
    int32_t *row;
    void *value;
};

/* Makes matrix->device for a matrix whose sizes are set, not filled. */
enum dm_status sparse_csc_open_device(struct spmv_matrix *matrix);

/* The format's `convert`, see format.h. */
enum dm_status sparse_csc_convert(struct spmv_matrix *matrix, const struct sparse_csr_device *csr,
                                  cudaStream_t stream);

/* y <- y + alpha A x; a column of usual length has `lanes` threads, a power of two up to 32. */
enum dm_status sparse_csc_launch(const struct sparse_csc *csc, enum spmv_precision precision,
                                 int lanes, double alpha, const void *x, void *y,
                                 cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
