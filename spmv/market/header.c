#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lines.h"

/* The place of the next word in the list. */
static enum dm_status choose(struct sparse_market_lines *lines, const char *const *words,
                             int *choice)
{
    char list[80] = "";
    const char *word = sparse_market_word(lines);
    for (*choice = 0; words[*choice]; (*choice)++) {
        if (strcasecmp(word, words[*choice]) == 0)
            return DM_OK;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", *choice ? ", " : "", words[*choice]);
    }
    return sparse_market_expected(lines, word, "one of %s", list);
}

/* %%MatrixMarket matrix coordinate real general */
static enum dm_status read_banner(struct sparse_market_lines *lines,
                                  struct sparse_market_header *header)
{
    static const char
        *const banner[] = {"%%MatrixMarket", NULL},
               *const object[] = {"matrix", NULL}, *const formats[] = {"coordinate", "array", NULL},
               *const fields[] = {"real", "integer", "pattern", NULL},
               *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian", NULL};
    bool is_line;
    int begin, format, field, symmetry;
    TRY(sparse_market_any_line(lines, &is_line));
    if (!is_line)
        return sparse_market_expected(lines, "an empty file", "%s", banner[0]);
    TRY(choose(lines, banner, &begin));
    TRY(choose(lines, object, &begin));
    TRY(choose(lines, formats, &format));
    TRY(choose(lines, fields, &field));
    TRY(choose(lines, symmetries, &symmetry));
    TRY(sparse_market_end_line(lines));
    *header = (struct sparse_market_header){.is_array = format == 1,
                                            .is_integer = field == 1,
                                            .is_pattern = field == 2,
                                            .is_symmetric = symmetry == 1 || symmetry == 3,
                                            .is_skew = symmetry == 2};
    if (header->is_pattern && (header->is_array || header->is_skew))
        return sparse_market_expected(lines, "pattern", "values, as the file is %s",
                                      header->is_array ? "an array" : "skew-symmetric");
    return DM_OK;
}

/* Of an array, with what symmetry leaves out left out. */
static int64_t array_entries(const struct sparse_market_header *header)
{
    if (header->is_symmetric)
        return header->rows * (header->rows + 1) / 2;
    if (header->is_skew)
        return header->rows * (header->rows - 1) / 2;
    return header->rows * header->columns;
}

/* A size that cannot be true is found before memory is taken for it. */
static enum dm_status check_entries(struct sparse_market_lines *lines,
                                    const struct sparse_market_header *header)
{
    char number[32];
    snprintf(number, sizeof number, "%lld", (long long)header->entries);
    /* "1 1\n", "1 1 1\n", or "1\n" of an array; the last line need not end. */
    double entry_bytes = header->is_array ? 2 : header->is_pattern ? 4 : 6;
    double maximum = (lines->bytes_max + 1) / entry_bytes;
    if ((double)header->entries > maximum)
        return sparse_market_expected(lines, number, "at most %.0f entries in a file of that size",
                                      maximum);
    bool has_mirrors = header->is_symmetric || header->is_skew;
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    double needed = (double)header->entries * (has_mirrors ? 2 : 1) * 16;
    if (!header->is_array && needed > memory)
        return sparse_market_expected(lines, number,
                                      "entries that fit into this machine's %.3g GB, 16 bytes each",
                                      memory / 1e9);
    return DM_OK;
}

static enum dm_status read_sizes(struct sparse_market_lines *lines,
                                 struct sparse_market_header *header)
{
    bool is_line;
    TRY(sparse_market_next_line(lines, &is_line));
    if (!is_line)
        return sparse_market_expected(lines, "the end of the file",
                                      "rows, columns and, unless an array, entries");
    TRY(sparse_market_index(lines, "rows", 1, INT32_MAX, &header->rows));
    TRY(sparse_market_index(lines, "columns", 1, INT32_MAX, &header->columns));
    if ((header->is_symmetric || header->is_skew) && header->rows != header->columns) {
        char number[32];
        snprintf(number, sizeof number, "%lld", (long long)header->columns);
        return sparse_market_expected(lines, number, "as many columns as rows, by the symmetry");
    }
    header->entries = array_entries(header);
    if (!header->is_array)
        TRY(sparse_market_index(lines, "entries", 0, INT64_MAX / 64, &header->entries));
    TRY(sparse_market_end_line(lines));
    return check_entries(lines, header);
}

enum dm_status sparse_market_read_header(struct sparse_market_lines *lines,
                                         struct sparse_market_header *header)
{
    TRY(read_banner(lines, header));
    return read_sizes(lines, header);
}
