#include "cusparse_arrays.h"

#include <stdlib.h>

#include "common/harness/exit.h"

#include "spmv/formats/format.h"

/* Where each row begins. */
static int32_t *row_starts(const struct spmv_coo *coo)
{
    int32_t *starts = allocate_or_fail((size_t)coo->rows + 1, sizeof *starts);
    for (int64_t k = 0; k < coo->entries; k++)
        starts[coo->row[k] + 1]++;
    for (int64_t row = 0; row < coo->rows; row++)
        starts[row + 1] += starts[row];
    return starts;
}

void spmv_arrays_entries(struct spmv_arrays *arrays, const struct spmv_coo *coo,
                         enum spmv_precision precision)
{
    arrays->stored = coo->entries;
    arrays->starts = row_starts(coo);
    arrays->column = allocate_or_fail((size_t)coo->entries, sizeof *arrays->column);
    arrays->value = allocate_or_fail((size_t)coo->entries, spmv_value_bytes(precision));
    for (int64_t k = 0; k < coo->entries; k++) {
        arrays->column[k] = coo->column[k];
        sparse_value_set(arrays->value, precision, k, coo->value[k]);
    }
}

/* The longest row of each slice of rows, which is as wide. Values that the format stores, or -1 if
 * they are too many for 32-bit offsets. */
static int64_t slice_starts(int32_t *starts, const int32_t *rows_from, int64_t rows)
{
    int64_t stored = 0;
    for (int64_t first = 0; first < rows; first += SPMV_SLICE_ROWS) {
        int64_t longest = 0;
        for (int64_t row = first; row < rows && row < first + SPMV_SLICE_ROWS; row++)
            if (rows_from[row + 1] - rows_from[row] > longest)
                longest = rows_from[row + 1] - rows_from[row];
        stored += longest * SPMV_SLICE_ROWS;
        if (stored > INT32_MAX)
            return -1;
        starts[first / SPMV_SLICE_ROWS + 1] = (int32_t)stored;
    }
    return stored;
}

/* Within a slice by columns, so that the threads of a warp read neighbours; column -1 is padding.
 */
static void fill_slices(struct spmv_arrays *arrays, const struct spmv_coo *coo,
                        enum spmv_precision precision, const int32_t *rows_from)
{
    arrays->column = allocate_or_fail((size_t)arrays->stored, sizeof *arrays->column);
    arrays->value = allocate_or_fail((size_t)arrays->stored, spmv_value_bytes(precision));
    for (int64_t k = 0; k < arrays->stored; k++)
        arrays->column[k] = -1;
    for (int64_t k = 0; k < coo->entries; k++) {
        int64_t row = coo->row[k], place = k - rows_from[row];
        int64_t at =
            arrays->starts[row / SPMV_SLICE_ROWS] + place * SPMV_SLICE_ROWS + row % SPMV_SLICE_ROWS;
        arrays->column[at] = coo->column[k];
        sparse_value_set(arrays->value, precision, at, coo->value[k]);
    }
}

enum dm_status spmv_arrays_slices(struct spmv_arrays *arrays, const struct spmv_coo *coo,
                                  const struct spmv_options *options)
{
    size_t each = spmv_value_bytes(options->precision) + sizeof(int32_t);
    int32_t *rows_from = row_starts(coo);
    arrays->slices = (coo->rows + SPMV_SLICE_ROWS - 1) / SPMV_SLICE_ROWS;
    arrays->starts = allocate_or_fail((size_t)arrays->slices + 1, sizeof *arrays->starts);
    arrays->stored = slice_starts(arrays->starts, rows_from, coo->rows);
    size_t limit = options->memory_limit;
    enum dm_status status = DM_OK;
    if (arrays->stored < 0)
        status = dm_fail(DM_INVALID, "sliced ELL would store more than 2^31 - 1 values");
    else if (limit > 0 && (size_t)arrays->stored * each > limit)
        status = dm_fail(DM_NO_MEMORY, "sliced ELL needs %.3g GB, and the limit is %.3g GB",
                         (double)arrays->stored * (double)each / 1e9, (double)limit / 1e9);
    else
        fill_slices(arrays, coo, options->precision, rows_from);
    free(rows_from);
    return status;
}

void spmv_arrays_free(struct spmv_arrays *arrays)
{
    free(arrays->starts);
    free(arrays->column);
    free(arrays->value);
}
