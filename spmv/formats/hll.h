/* hll.h: "hacks" of rows, each a rectangle as wide as its longest row, one behind the other.
 * In a rectangle a column follows the other, as in ELL. On a device this is the format HLG.
 *
 * Source: Barbieri, Cardellini, Fanfarillo, Filippone, "Three storage formats for sparse matrices
 * on GPGPUs", University of Rome Tor Vergata, RR-15.6, 2015. */
#ifndef SPMV_FORMATS_HLL_H
#define SPMV_FORMATS_HLL_H

#include "format.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values of a row that one CUDA thread adds up; a longer one is cut, so that no thread keeps the
 * others waiting. */
enum { SPARSE_HLL_SEGMENT = 256 };

/* The values of a hack from one column of its rectangle on. */
struct sparse_hll_segment {
    int32_t hack, column;
};

/* The same on both sides. Value j of row r of hack h is at starts[h] + j * hack_rows + r. */
struct sparse_hll {
    struct sparse_starts starts; /* by hack */
    int64_t hack_rows;
    int32_t *length; /* by row, to the end of the last hack */
    int32_t *column; /* -1: padding */
    void *value;
    struct sparse_hll_segment *segments; /* on the device: all but the first of each hack */
    int64_t segment_count;
};

static inline int64_t sparse_hll_hack_rows(const struct spmv_options *options)
{
    return options->hack_rows > 0 ? options->hack_rows : 32;
}

static inline int64_t sparse_hll_hacks(const struct spmv_options *options, int64_t rows)
{
    int64_t hack_rows = sparse_hll_hack_rows(options);
    return (rows + hack_rows - 1) / hack_rows;
}

/* DM_INVALID: the rows of a hack are no multiple of 32. */
enum dm_status sparse_hll_options(const struct spmv_options *options);

/* The bytes of hacks that store that many values. */
void sparse_hll_size(int64_t rows, int64_t stored, const struct spmv_options *options,
                     size_t *value_bytes, size_t *index_bytes);

static inline int64_t sparse_hll_width(const struct sparse_hll *hll, int64_t hack)
{
    return (sparse_start(&hll->starts, hack + 1) - sparse_start(&hll->starts, hack)) /
           hll->hack_rows;
}

/* Fills the device's list of segments. */
enum dm_status sparse_hll_upload_segments(struct sparse_hll *device, const struct sparse_hll *host);

/* The format's `convert`, see format.h. */
enum dm_status sparse_hll_convert(struct spmv_matrix *matrix, const struct sparse_csr_device *csr,
                                  cudaStream_t stream);

enum dm_status sparse_hll_launch(const struct sparse_hll *hll, enum spmv_precision precision,
                                 int64_t rows, double alpha, const void *x, double beta, void *y,
                                 cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
