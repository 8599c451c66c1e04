/* rows.h: from the rows of a finished matrix, empty ones included, to rows whose values are
 * a stride apart (ELL, HLL), and back. */
#ifndef SPMV_FORMATS_ROWS_H
#define SPMV_FORMATS_ROWS_H

#include "parts.h"

/* Behind the last entry of `row`, whose first entry is, or would be, `first`. */
static inline int64_t sparse_row_end(const struct spmv_coo *coo, int64_t row, int64_t first)
{
    while (first < coo->entries && coo->row[first] == row)
        first++;
    return first;
}

/* The calling thread's share of `rows` rows (more than the matrix has, if a format is padded) with
 * as many entries as the others'. Shares begin at multiples of `align` rows. */
static inline struct sparse_part sparse_coo_row_part(const struct spmv_coo *coo, int64_t rows,
                                                     int64_t align)
{
    struct sparse_part entries = sparse_equal_part(coo->entries);
    struct sparse_part part = {0, rows};
    if (omp_get_thread_num() > 0)
        part.first = entries.first < coo->entries ? coo->row[entries.first] / align * align : rows;
    if (omp_get_thread_num() < omp_get_num_threads() - 1)
        part.last = entries.last < coo->entries ? coo->row[entries.last] / align * align : rows;
    return part;
}

/* Entries [begin, end) become values first, first + stride, ...; padding follows up to `width`. */
static inline void sparse_place_row(int32_t *column, void *value, enum spmv_precision precision,
                                    int64_t first, int64_t stride, int64_t width,
                                    const struct spmv_coo *coo, int64_t begin, int64_t end)
{
    for (int64_t j = 0; j < width; j++, first += stride) {
        bool is_entry = begin + j < end;
        column[first] = is_entry ? coo->column[begin + j] : -1;
        sparse_value_set(value, precision, first, is_entry ? coo->value[begin + j] : 0);
    }
}

/* The reverse: appends them, up to `width` or the first padding, to a list that has room. */
static inline void sparse_take_row(const int32_t *column, const void *value,
                                   enum spmv_precision precision, int64_t first, int64_t stride,
                                   int64_t width, int64_t row, struct spmv_coo *coo)
{
    for (int64_t j = 0; j < width && column[first] >= 0; j++, first += stride) {
        int64_t k = coo->entries++;
        coo->row[k] = (int32_t)row;
        coo->column[k] = column[first];
        coo->value[k] = sparse_value_at(value, precision, first);
    }
}

#endif
