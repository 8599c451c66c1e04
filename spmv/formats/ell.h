/* ell.h: a rectangle of values, the same on the host and on the device.
 *
 *                        width
 *            +------------------------+
 *     row 0  | a b c -                |   one column of the rectangle after the other, so that
 *     row 1  | d - - -                |   neighbouring threads, which have neighbouring rows,
 *     ...    |                        |   read neighbouring values
 *            +------------------------+
 *     - is padding: value 0, column -1
 *
 * Source: Bell and Garland, "Implementing sparse matrix-vector multiplication on
 * throughput-oriented processors", SC 2009; row lengths: Vazquez, Ortega, Fernandez and Garzon,
 * "Improving the performance of the sparse matrix vector product with GPUs", CIT 2010 (ELLPACK-R).
 */
#ifndef SPMV_FORMATS_ELL_H
#define SPMV_FORMATS_ELL_H

#include "format.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Value j of row i is at j * pitch + i. */
struct sparse_ell {
    int64_t pitch; /* the rows, rounded up to a warp, so that every column is aligned */
    int64_t width;
    int32_t *length; /* by row: values that are not padding; NULL: the format does not know them */
    int32_t *column;
    void *value;
};

static inline int64_t sparse_ell_pitch(int64_t rows)
{
    return (rows + 31) / 32 * 32;
}

/* Values and bytes of a rectangle of that width. */
void sparse_ell_size(int64_t rows, int64_t width, bool has_lengths,
                     const struct spmv_options *options, size_t *value_bytes, size_t *index_bytes,
                     int64_t *stored);

/* The longest row. */
int64_t sparse_ell_width(const struct spmv_coo *coo);

/* The first `width` entries of each row of a finished matrix. Close it also after an error. */
enum dm_status sparse_ell_open(struct sparse_ell *ell, const struct spmv_coo *coo,
                               enum spmv_precision precision, int64_t width, bool has_lengths);
void sparse_ell_close(struct sparse_ell *ell);

/* Appends all entries, row by row, to a list with room for them. */
void sparse_ell_take(const struct sparse_ell *ell, enum spmv_precision precision, int64_t rows,
                     struct spmv_coo *coo);

/* y <- alpha A x + beta y on the host; and on the device, asynchronously. */
void sparse_ell_multiply(const struct sparse_ell *ell, enum spmv_precision precision, int64_t rows,
                         double alpha, const void *x, double beta, void *y);
enum dm_status sparse_ell_launch(const struct sparse_ell *ell, enum spmv_precision precision,
                                 int64_t rows, double alpha, const void *x, double beta, void *y,
                                 cudaStream_t stream);

/* A rectangle on the current device, not filled. Release it also after an error. */
enum dm_status sparse_ell_open_device(struct sparse_ell *device, int64_t rows, int64_t width,
                                      enum spmv_precision precision, bool has_lengths);

/* A copy on the current device. Release it also after an error. */
enum dm_status sparse_ell_upload(struct sparse_ell *device, const struct sparse_ell *host,
                                 enum spmv_precision precision);
void sparse_ell_release(struct sparse_ell *device);

#ifdef __cplusplus
}
#endif
#endif
