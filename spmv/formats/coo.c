#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"

/* Bits of a key that one pass of the sort looks at: the counters stay in the first cache. */
enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

static const int64_t entry_bytes = 2 * sizeof(int32_t) + sizeof(double);

static enum dm_status no_memory(int64_t entries)
{
    return dm_fail(DM_NO_MEMORY, "not enough memory for a matrix of %lld entries (%.3g GB)",
                   (long long)entries, 1e-9 * (double)entries * (double)entry_bytes);
}

static bool resize(void **array, int64_t count, size_t element_bytes)
{
    void *larger = realloc(*array, count > 0 ? (size_t)count * element_bytes : 1);
    if (larger)
        *array = larger;
    return larger;
}

/* What could be resized stays valid when the rest could not. */
static enum dm_status reserve(struct spmv_coo *coo, int64_t capacity)
{
    if (capacity > PTRDIFF_MAX / entry_bytes ||
        !resize((void **)&coo->row, capacity, sizeof *coo->row) ||
        !resize((void **)&coo->column, capacity, sizeof *coo->column) ||
        !resize((void **)&coo->value, capacity, sizeof *coo->value))
        return no_memory(capacity);
    coo->capacity = capacity;
    return DM_OK;
}

enum dm_status spmv_coo_open(struct spmv_coo *coo, int64_t rows, int64_t columns, int64_t entries)
{
    *coo = (struct spmv_coo){0};
    if (rows < 1 || rows > INT32_MAX || columns < 1 || columns > INT32_MAX || entries < 0)
        return dm_fail(DM_INVALID,
                       "a matrix of %lld x %lld with %lld entries: expected 1 to 2147483647 "
                       "rows and columns, and 0 entries or more",
                       (long long)rows, (long long)columns, (long long)entries);
    coo->rows = rows;
    coo->columns = columns;
    enum dm_status status = reserve(coo, entries);
    if (status != DM_OK)
        spmv_coo_close(coo);
    return status;
}

enum dm_status spmv_coo_add(struct spmv_coo *coo, int64_t row, int64_t column, double value)
{
    if (row < 0 || row >= coo->rows || column < 0 || column >= coo->columns)
        return dm_fail(
            DM_INVALID, "entry (%lld, %lld), counted from 0, is outside a matrix of %lld x %lld",
            (long long)row, (long long)column, (long long)coo->rows, (long long)coo->columns);
    if (coo->entries == coo->capacity)
        TRY(reserve(coo, coo->capacity + coo->capacity / 2 + 64));
    coo->row[coo->entries] = (int32_t)row;
    coo->column[coo->entries] = (int32_t)column;
    coo->value[coo->entries] = value;
    coo->entries++;
    return DM_OK;
}

void spmv_coo_close(struct spmv_coo *coo)
{
    if (!coo)
        return;
    free(coo->row);
    free(coo->column);
    free(coo->value);
    *coo = (struct spmv_coo){0};
}

/* The place of entry k as one number by which the order is that of rows, then columns. */
static uint64_t place_of(const struct spmv_coo *coo, int64_t k)
{
    return (uint64_t)coo->row[k] << 32 | (uint32_t)coo->column[k];
}

static bool is_sorted(const struct spmv_coo *coo)
{
    for (int64_t k = 1; k < coo->entries; k++)
        if (place_of(coo, k - 1) > place_of(coo, k))
            return false;
    return true;
}

static void swap_entries(struct spmv_coo *a, struct spmv_coo *b)
{
    struct spmv_coo kept = *a;
    *a = *b;
    *b = kept;
}

/* One pass of a radix sort: by DIGIT_BITS bits of `key` (coo->row or coo->column) from `shift` on.
 * Stable, so that duplicates are added up in the order in which they came. */
static void sort_by_digit(struct spmv_coo *coo, struct spmv_coo *sorted, bool by_row, int shift)
{
    int64_t start[DIGITS + 1] = {0};
    const int32_t *key = by_row ? coo->row : coo->column;
    for (int64_t k = 0; k < coo->entries; k++)
        start[(key[k] >> shift) % DIGITS + 1]++;
    for (int d = 0; d < DIGITS; d++)
        start[d + 1] += start[d];
    for (int64_t k = 0; k < coo->entries; k++) {
        int64_t to = start[(key[k] >> shift) % DIGITS]++;
        sorted->row[to] = coo->row[k];
        sorted->column[to] = coo->column[k];
        sorted->value[to] = coo->value[k];
    }
    sorted->entries = coo->entries;
    swap_entries(coo, sorted);
}

static enum dm_status sort_entries(struct spmv_coo *coo)
{
    struct spmv_coo other;
    TRY(spmv_coo_open(&other, coo->rows, coo->columns, coo->entries));
    other.duplicates = coo->duplicates;
    for (int shift = 0; shift < 31 && (coo->columns - 1) >> shift > 0; shift += DIGIT_BITS)
        sort_by_digit(coo, &other, false, shift);
    for (int shift = 0; shift < 31 && (coo->rows - 1) >> shift > 0; shift += DIGIT_BITS)
        sort_by_digit(coo, &other, true, shift);
    spmv_coo_close(&other);
    return DM_OK;
}

static void add_up_duplicates(struct spmv_coo *coo)
{
    int64_t last = 0;
    for (int64_t k = 1; k < coo->entries; k++) {
        if (place_of(coo, k) == place_of(coo, last)) {
            coo->value[last] += coo->value[k];
            continue;
        }
        last++;
        coo->row[last] = coo->row[k];
        coo->column[last] = coo->column[k];
        coo->value[last] = coo->value[k];
    }
    int64_t different = coo->entries > 0 ? last + 1 : 0;
    coo->duplicates += coo->entries - different;
    coo->entries = different;
}

enum dm_status spmv_coo_finish(struct spmv_coo *coo)
{
    if (!is_sorted(coo))
        TRY(sort_entries(coo));
    add_up_duplicates(coo);
    return DM_OK;
}

int64_t sparse_first_entry(const struct spmv_coo *coo, int64_t row)
{
    int64_t low = 0, high = coo->entries;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (coo->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum dm_status spmv_coo_rows(struct spmv_coo *part, const struct spmv_coo *coo, int64_t first,
                             int64_t count)
{
    *part = (struct spmv_coo){0};
    if (first < 0 || count < 1 || first > coo->rows - count)
        return dm_fail(DM_INVALID, "%lld rows from row %lld on, of a matrix of %lld rows",
                       (long long)count, (long long)first, (long long)coo->rows);
    int64_t begin = sparse_first_entry(coo, first);
    int64_t entries = sparse_first_entry(coo, first + count) - begin;
    TRY(spmv_coo_open(part, count, coo->columns, entries));
    for (int64_t k = 0; k < entries; k++)
        part->row[k] = (int32_t)(coo->row[begin + k] - first);
    memcpy(part->column, coo->column + begin, (size_t)entries * sizeof *part->column);
    memcpy(part->value, coo->value + begin, (size_t)entries * sizeof *part->value);
    part->entries = entries;
    return DM_OK;
}

enum dm_status spmv_coo_fits_float(const struct spmv_coo *coo)
{
    for (int64_t k = 0; k < coo->entries; k++)
        if (isinf((float)coo->value[k]))
            return dm_fail(DM_INVALID,
                           "row %lld, column %lld holds %g, which is more than a float can hold",
                           coo->row[k] + 1LL, coo->column[k] + 1LL, coo->value[k]);
    return DM_OK;
}
