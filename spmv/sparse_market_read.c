#include <stdio.h>
#include <stdlib.h>

#include "sparse_market_internal.h"

/* Memory for more entries than this is taken when they have come. */
static const int64_t first_capacity = 1 << 20;

/* An entry and what symmetry says about its mirror image; places count from 1. */
static bool add(struct sparse_coo *coo, const struct sparse_market_header *header, int64_t row,
                int64_t column, double value, struct sparse_error *error)
{
    if (!sparse_coo_add(coo, row - 1, column - 1, value, error))
        return false;
    bool has_mirror = (header->is_symmetric || header->is_skew) && row != column;
    return !has_mirror ||
           sparse_coo_add(coo, column - 1, row - 1, header->is_skew ? -value : value, error);
}

/* The line of the next entry; false: there is none. */
static bool find_entry(struct sparse_market_lines *lines, const struct sparse_market_header *header,
                       int64_t read)
{
    enum sparse_market_state state = sparse_market_next_line(lines);
    char found[64];
    if (state != SPARSE_MARKET_END)
        return state == SPARSE_MARKET_IS_LINE;
    snprintf(found, sizeof found, "the end after %lld", (long long)read);
    return sparse_market_expected(lines, found, "%lld entries", (long long)header->entries);
}

/* An entry in the half that the symmetry implies. */
static bool refuse_half(struct sparse_market_lines *lines,
                        const struct sparse_market_header *header, int64_t row, int64_t column)
{
    char place[64];
    snprintf(place, sizeof place, "row %lld, column %lld", (long long)row, (long long)column);
    return sparse_market_expected(lines, place, "an entry %s the diagonal",
                                  header->is_skew ? "below" : "on or below");
}

static bool read_coordinates(struct sparse_coo *coo, struct sparse_market_lines *lines,
                             const struct sparse_market_header *header)
{
    for (int64_t k = 0; k < header->entries; k++) {
        int64_t row, column;
        double value = 1;
        if (!find_entry(lines, header, k) ||
            !sparse_market_index(lines, "a row", 1, header->rows, &row) ||
            !sparse_market_index(lines, "a column", 1, header->columns, &column) ||
            (!header->is_pattern && !sparse_market_number(lines, header->is_integer, &value)) ||
            !sparse_market_end_line(lines))
            return false;
        if ((header->is_symmetric && column > row) || (header->is_skew && column >= row))
            return refuse_half(lines, header, row, column);
        if (!add(coo, header, row, column, value, lines->error))
            return false;
    }
    return true;
}

/* Column by column; with a symmetry only what is below the diagonal. */
static bool read_array(struct sparse_coo *coo, struct sparse_market_lines *lines,
                       const struct sparse_market_header *header)
{
    int64_t k = 0;
    for (int64_t column = 1; column <= header->columns; column++) {
        int64_t first = header->is_symmetric ? column : header->is_skew ? column + 1 : 1;
        for (int64_t row = first; row <= header->rows; row++) {
            double value;
            if (!find_entry(lines, header, k++) ||
                !sparse_market_number(lines, header->is_integer, &value) ||
                !sparse_market_end_line(lines))
                return false;
            if (value != 0 && !add(coo, header, row, column, value, lines->error))
                return false;
        }
    }
    return true;
}

static bool read_end(struct sparse_market_lines *lines, const struct sparse_market_header *header)
{
    enum sparse_market_state state = sparse_market_next_line(lines);
    if (state != SPARSE_MARKET_IS_LINE)
        return state == SPARSE_MARKET_END;
    return sparse_market_expected(lines, sparse_market_word(lines),
                                  "the end of the file after %lld entries",
                                  (long long)header->entries);
}

static bool read_lines(struct sparse_coo *coo, struct sparse_market_lines *lines)
{
    struct sparse_market_header header;
    *coo = (struct sparse_coo){0};
    if (!sparse_market_read_header(lines, &header))
        return false;
    int64_t capacity = header.entries < first_capacity ? header.entries : first_capacity;
    if (sparse_coo_open(coo, header.rows, header.columns, capacity, lines->error) &&
        (header.is_array ? read_array(coo, lines, &header)
                         : read_coordinates(coo, lines, &header)) &&
        read_end(lines, &header) && sparse_coo_finish(coo, lines->error))
        return true;
    sparse_coo_close(coo);
    return false;
}

bool sparse_market_read(struct sparse_coo *coo, const char *path, struct sparse_error *error)
{
    *coo = (struct sparse_coo){0};
    struct sparse_market_lines *lines = calloc(1, sizeof *lines);
    if (!lines)
        return sparse_refuse(error, "%.100s: no memory", path);
    bool done = sparse_market_open(lines, path, error) && read_lines(coo, lines);
    sparse_market_close(lines);
    free(lines);
    return done;
}

bool sparse_market_parse(struct sparse_coo *coo, const char *text, size_t bytes, const char *name,
                         struct sparse_error *error)
{
    *coo = (struct sparse_coo){0};
    struct sparse_market_lines *lines = calloc(1, sizeof *lines);
    if (!lines)
        return sparse_refuse(error, "%.100s: no memory", name);
    lines->name = name;
    lines->memory = text;
    lines->memory_bytes = bytes;
    lines->most_bytes = (double)bytes;
    lines->error = error;
    bool done = read_lines(coo, lines);
    free(lines);
    return done;
}
