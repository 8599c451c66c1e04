#include <stdlib.h>

#include "csr.h"

/* Rows from `row` on that fill one tile together, at least one. */
static int64_t rows_of_tile(const struct sparse_starts *starts, int64_t row)
{
    int64_t last = row + 1;
    while (last < starts->count && last - row < SPARSE_CSR_TILE &&
           sparse_start(starts, last + 1) - sparse_start(starts, row) <= SPARSE_CSR_TILE)
        last++;
    return last - row;
}

/* Cuts the rows into pieces; with pieces NULL it only counts them. */
static void cut_pieces(const struct sparse_starts *starts, struct sparse_csr_piece *pieces,
                       int64_t *piece_count, int32_t *long_row, int64_t *long_rows)
{
    int64_t p = 0, longs = 0;
    for (int64_t row = 0, rows; row < starts->count; row += rows) {
        rows = rows_of_tile(starts, row);
        int64_t end = sparse_start(starts, row + rows);
        bool is_long = end - sparse_start(starts, row) > SPARSE_CSR_TILE;
        int64_t first = sparse_start(starts, row);
        do {
            int64_t entries = end - first < SPARSE_CSR_TILE ? end - first : SPARSE_CSR_TILE;
            if (pieces)
                pieces[p] = (struct sparse_csr_piece){first, (int32_t)entries, (int32_t)row,
                                                      is_long ? 0 : (int32_t)rows};
            p++;
            first += entries;
        } while (first < end);
        if (is_long && long_row)
            long_row[longs] = (int32_t)row;
        longs += is_long;
    }
    *piece_count = p;
    *long_rows = longs;
}

static enum dm_status upload(struct sparse_csr_device *device, const struct sparse_starts *starts,
                             struct sparse_csr_piece *pieces, int32_t *long_row)
{
    cut_pieces(starts, pieces, &device->piece_count, long_row, &device->long_rows);
    TRY(sparse_device_copy(&device->pieces, pieces, (size_t)device->piece_count * sizeof *pieces));
    return sparse_device_copy(&device->long_row, long_row,
                              (size_t)device->long_rows * sizeof *long_row);
}

enum dm_status sparse_csr_upload_pieces(struct sparse_csr_device *device,
                                        const struct sparse_starts *starts)
{
    struct sparse_csr_piece *pieces;
    int32_t *long_row = NULL;
    cut_pieces(starts, NULL, &device->piece_count, NULL, &device->long_rows);
    enum dm_status status = sparse_host_memory(&pieces, device->piece_count, sizeof *pieces);
    if (status == DM_OK)
        status = sparse_host_memory(&long_row, device->long_rows, sizeof *long_row);
    if (status == DM_OK)
        status = upload(device, starts, pieces, long_row);
    free(pieces);
    free(long_row);
    return status;
}
