#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "sparse_market_internal.h"

/* The next word if it is one of the list, whose place is the answer; -1: it is refused. */
static int choose(struct sparse_market_lines *lines, const char *const *words)
{
    char list[80] = "";
    const char *word = sparse_market_word(lines);
    for (int i = 0; words[i]; i++) {
        if (strcasecmp(word, words[i]) == 0)
            return i;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    sparse_market_expected(lines, word, "one of %s", list);
    return -1;
}

/* %%MatrixMarket matrix coordinate real general */
static bool read_banner(struct sparse_market_lines *lines, struct sparse_market_header *header)
{
    static const char
        *const banner[] = {"%%MatrixMarket", NULL},
               *const object[] = {"matrix", NULL}, *const formats[] = {"coordinate", "array", NULL},
               *const fields[] = {"real", "integer", "pattern", NULL},
               *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian", NULL};
    enum sparse_market_state state = sparse_market_any_line(lines);
    if (state == SPARSE_MARKET_REFUSED)
        return false;
    if (state == SPARSE_MARKET_END)
        return sparse_market_expected(lines, "an empty file", "%s", banner[0]);
    if (choose(lines, banner) < 0 || choose(lines, object) < 0)
        return false;
    int format = choose(lines, formats);
    int field = format < 0 ? -1 : choose(lines, fields);
    int symmetry = field < 0 ? -1 : choose(lines, symmetries);
    if (symmetry < 0 || !sparse_market_end_line(lines))
        return false;
    *header = (struct sparse_market_header){.is_array = format == 1,
                                            .is_integer = field == 1,
                                            .is_pattern = field == 2,
                                            .is_symmetric = symmetry == 1 || symmetry == 3,
                                            .is_skew = symmetry == 2};
    if (header->is_pattern && (header->is_array || header->is_skew))
        return sparse_market_expected(lines, "pattern", "values, as the file is %s",
                                      header->is_array ? "an array" : "skew-symmetric");
    return true;
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
static bool check_entries(struct sparse_market_lines *lines,
                          const struct sparse_market_header *header)
{
    char number[32];
    snprintf(number, sizeof number, "%lld", (long long)header->entries);
    /* "1 1\n", "1 1 1\n", or "1\n" of an array; the last line need not end. */
    double least_bytes = header->is_array ? 2 : header->is_pattern ? 4 : 6;
    double most = (lines->most_bytes + 1) / least_bytes;
    if ((double)header->entries > most)
        return sparse_market_expected(lines, number, "at most %.0f entries in a file of that size",
                                      most);
    bool has_mirrors = header->is_symmetric || header->is_skew;
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    double needed = (double)header->entries * (has_mirrors ? 2 : 1) * 16;
    if (!header->is_array && needed > memory)
        return sparse_market_expected(lines, number,
                                      "entries that fit into this machine's %.3g GB, 16 bytes each",
                                      memory / 1e9);
    return true;
}

static bool read_sizes(struct sparse_market_lines *lines, struct sparse_market_header *header)
{
    enum sparse_market_state state = sparse_market_next_line(lines);
    if (state == SPARSE_MARKET_REFUSED)
        return false;
    if (state == SPARSE_MARKET_END)
        return sparse_market_expected(lines, "the end of the file",
                                      "rows, columns and, unless an array, entries");
    if (!sparse_market_index(lines, "rows", 1, INT32_MAX, &header->rows) ||
        !sparse_market_index(lines, "columns", 1, INT32_MAX, &header->columns))
        return false;
    if ((header->is_symmetric || header->is_skew) && header->rows != header->columns) {
        char number[32];
        snprintf(number, sizeof number, "%lld", (long long)header->columns);
        return sparse_market_expected(lines, number, "as many columns as rows, by the symmetry");
    }
    header->entries = array_entries(header);
    if (!header->is_array &&
        !sparse_market_index(lines, "entries", 0, INT64_MAX / 64, &header->entries))
        return false;
    return sparse_market_end_line(lines) && check_entries(lines, header);
}

bool sparse_market_read_header(struct sparse_market_lines *lines,
                               struct sparse_market_header *header)
{
    return read_banner(lines, header) && read_sizes(lines, header);
}
