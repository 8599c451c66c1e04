/* convert.h: from CSR on the device to another format there, without the host: what the conversions
 * share.
 *
 *     host    COO --create--> csr --to_device--.
 *     device                                  csr --convert_device--> coo | csc | ell | elg |
 *                                                                     hll | hyb
 *
 * All pointers are device pointers, all work is asynchronous. */
#ifndef SPMV_CONVERT_CONVERT_H
#define SPMV_CONVERT_CONVERT_H

#include "spmv/formats/csr.h"
#include "spmv/formats/ell.h"
#include "spmv/formats/coo_format.h"
#include "spmv/formats/hyb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills the sizes of a format that depend on numbers of rows, columns and entries alone. */
void sparse_convert_size(struct spmv_matrix *matrix);

/* The longest row, waited for. */
enum dm_status sparse_convert_width(const struct sparse_csr_device *csr, int64_t *width,
                                    cudaStream_t stream);

/* Fills a rectangle with the first entries of each row; those behind its width go to `rest`, the
 * ones of row i from rest_start[i] on. rest_start NULL: there are none. */
enum dm_status sparse_convert_ell(const struct sparse_csr_device *csr,
                                  enum spmv_precision precision, const struct sparse_ell *ell,
                                  const struct sparse_entries *rest, const int64_t *rest_start,
                                  cudaStream_t stream);

/* The row of each entry. */
enum dm_status sparse_convert_rows(const struct sparse_csr_device *csr, int32_t *row,
                                   cudaStream_t stream);

/* The lengths of `padded` rows, 0 behind the matrix's last; and the longest of each `hack_rows` of
 * them, which must be 0 before. Either may be NULL. */
enum dm_status sparse_convert_lengths(const struct sparse_starts *starts, int64_t padded,
                                      int32_t *length, int64_t hack_rows, int32_t *longest,
                                      cudaStream_t stream);

/* Adds to rows_of[l] the rows of length l, to rows_of[SPARSE_HYB_WIDEST] the longer ones, too. */
enum dm_status sparse_convert_count_lengths(const struct sparse_starts *starts, int32_t *rows_of,
                                            cudaStream_t stream);

/* What is behind the first `width` entries of each row, and 0 behind the last. */
enum dm_status sparse_convert_rests(const struct sparse_starts *starts, int64_t width,
                                    int64_t *rest, cudaStream_t stream);

/* Replaces each value by the sum of those before it. `scratch` has room for as many numbers as
 * sparse_convert_scan_scratch says. */
int64_t sparse_convert_scan_scratch(int64_t count);
enum dm_status sparse_convert_scan(int64_t *values, int64_t count, int64_t *scratch,
                                   cudaStream_t stream);

/* Offsets as wide as `starts` has them. */
enum dm_status sparse_convert_starts(struct sparse_starts *starts, const int64_t *offset,
                                     cudaStream_t stream);

/* Rectangles of `hack_rows` rows, one behind the other as in HLL, or, without starts, the single
 * one of ELL. Entries behind `width` of a row go to the list. */
struct sparse_rectangles {
    struct sparse_starts starts;
    uint32_t hack_rows;
    int64_t width;
    int32_t *column;
    void *value;
    struct sparse_entries rest;
    const int64_t *rest_start;
};

/* Brings all entries to their places. Padding is not touched. */
enum dm_status sparse_convert_place(const struct sparse_csr_device *csr,
                                    enum spmv_precision precision,
                                    const struct sparse_rectangles *to, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
