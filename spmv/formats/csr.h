/* csr.h: compressed rows, on the host and on the device. */
#ifndef SPMV_FORMATS_CSR_H
#define SPMV_FORMATS_CSR_H

#include "format.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sparse_csr {
    struct sparse_starts starts;
    int32_t *column;
    void *value;
};

/* Entries that a thread block brings to its shared memory at a time. */
enum { SPARSE_CSR_TILE = 2048 };

/* What one thread block computes: whole rows of a tile's entries together, or (rows is 0) a tile of
 * a longer row, which it adds to y. */
struct sparse_csr_piece {
    int64_t first; /* entry */
    int32_t entries;
    int32_t row, rows;
};

struct sparse_csr_device {
    struct sparse_starts starts;
    int32_t *column;
    void *value;
    struct sparse_csr_piece *pieces;
    int32_t *long_row; /* the rows that several pieces share */
    int64_t piece_count, long_rows;
};

/* Cuts the rows into pieces and copies these to the device. */
enum dm_status sparse_csr_upload_pieces(struct sparse_csr_device *device,
                                        const struct sparse_starts *starts);

enum dm_status sparse_csr_launch(const struct sparse_csr_device *csr, enum spmv_precision precision,
                                 double alpha, const void *x, double beta, void *y,
                                 cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
