#include <stdio.h>
#include <stdlib.h>

#include "lines.h"

/* Memory for more entries than this is taken when they have come. */
static const int64_t first_capacity = 1 << 20;

/* An entry and what symmetry says about its mirror image; places count from 1. */
static enum dm_status add(struct spmv_coo *coo, const struct sparse_market_header *header,
                          int64_t row, int64_t column, double value)
{
    TRY(spmv_coo_add(coo, row - 1, column - 1, value));
    if ((header->is_symmetric || header->is_skew) && row != column)
        return spmv_coo_add(coo, column - 1, row - 1, header->is_skew ? -value : value);
    return DM_OK;
}

/* The line of the next entry. */
static enum dm_status find_entry(struct sparse_market_lines *lines,
                                 const struct sparse_market_header *header, int64_t read)
{
    bool is_line;
    char found[64];
    TRY(sparse_market_next_line(lines, &is_line));
    if (is_line)
        return DM_OK;
    snprintf(found, sizeof found, "the end after %lld", (long long)read);
    return sparse_market_expected(lines, found, "%lld entries", (long long)header->entries);
}

/* An entry in the half that the symmetry implies. */
static enum dm_status refuse_half(struct sparse_market_lines *lines,
                                  const struct sparse_market_header *header, int64_t row,
                                  int64_t column)
{
    char place[64];
    snprintf(place, sizeof place, "row %lld, column %lld", (long long)row, (long long)column);
    return sparse_market_expected(lines, place, "an entry %s the diagonal",
                                  header->is_skew ? "below" : "on or below");
}

static enum dm_status read_coordinates(struct spmv_coo *coo, struct sparse_market_lines *lines,
                                       const struct sparse_market_header *header)
{
    for (int64_t k = 0; k < header->entries; k++) {
        int64_t row, column;
        double value = 1;
        TRY(find_entry(lines, header, k));
        TRY(sparse_market_index(lines, "a row", 1, header->rows, &row));
        TRY(sparse_market_index(lines, "a column", 1, header->columns, &column));
        if (!header->is_pattern)
            TRY(sparse_market_number(lines, header->is_integer, &value));
        TRY(sparse_market_end_line(lines));
        if ((header->is_symmetric && column > row) || (header->is_skew && column >= row))
            return refuse_half(lines, header, row, column);
        TRY(add(coo, header, row, column, value));
    }
    return DM_OK;
}

/* Column by column; with a symmetry only what is below the diagonal. */
static enum dm_status read_array(struct spmv_coo *coo, struct sparse_market_lines *lines,
                                 const struct sparse_market_header *header)
{
    int64_t k = 0;
    for (int64_t column = 1; column <= header->columns; column++) {
        int64_t first = header->is_symmetric ? column : header->is_skew ? column + 1 : 1;
        for (int64_t row = first; row <= header->rows; row++) {
            double value;
            TRY(find_entry(lines, header, k++));
            TRY(sparse_market_number(lines, header->is_integer, &value));
            TRY(sparse_market_end_line(lines));
            if (value != 0)
                TRY(add(coo, header, row, column, value));
        }
    }
    return DM_OK;
}

static enum dm_status read_end(struct sparse_market_lines *lines,
                               const struct sparse_market_header *header)
{
    bool is_line;
    TRY(sparse_market_next_line(lines, &is_line));
    if (!is_line)
        return DM_OK;
    return sparse_market_expected(lines, sparse_market_word(lines),
                                  "the end of the file after %lld entries",
                                  (long long)header->entries);
}

static enum dm_status read_all(struct spmv_coo *coo, struct sparse_market_lines *lines)
{
    struct sparse_market_header header;
    TRY(sparse_market_read_header(lines, &header));
    int64_t capacity = header.entries < first_capacity ? header.entries : first_capacity;
    TRY(spmv_coo_open(coo, header.rows, header.columns, capacity));
    TRY(header.is_array ? read_array(coo, lines, &header) : read_coordinates(coo, lines, &header));
    TRY(read_end(lines, &header));
    return spmv_coo_finish(coo);
}

static enum dm_status read_lines(struct spmv_coo *coo, struct sparse_market_lines *lines)
{
    enum dm_status status = read_all(coo, lines);
    if (status != DM_OK)
        spmv_coo_close(coo);
    return status;
}

enum dm_status spmv_market_read(struct spmv_coo *coo, const char *path)
{
    *coo = (struct spmv_coo){0};
    struct sparse_market_lines *lines = calloc(1, sizeof *lines);
    if (!lines)
        return error_within(error_no_memory(sizeof *lines), "%.100s", path);
    enum dm_status status = sparse_market_open(lines, path);
    if (status == DM_OK)
        status = read_lines(coo, lines);
    sparse_market_close(lines);
    free(lines);
    return status;
}

enum dm_status spmv_market_parse(struct spmv_coo *coo, const char *text, size_t bytes,
                                 const char *name)
{
    *coo = (struct spmv_coo){0};
    struct sparse_market_lines *lines = calloc(1, sizeof *lines);
    if (!lines)
        return error_within(error_no_memory(sizeof *lines), "%.100s", name);
    lines->name = name;
    lines->memory = text;
    lines->memory_bytes = bytes;
    lines->bytes_max = (double)bytes;
    enum dm_status status = read_lines(coo, lines);
    free(lines);
    return status;
}
