/* lines.h: the lines of a Matrix Market file and the words in them. */
#ifndef SPMV_MARKET_LINES_H
#define SPMV_MARKET_LINES_H

#include <zlib.h>

#include <datamotion/spmv.h>

#include "common/error.h"

/* Longest line of the format that is no comment. */
enum { SPARSE_MARKET_LINE = 1024, SPARSE_MARKET_BLOCK = 1 << 16 };

/* A text read line by line from a file or from memory. */
struct sparse_market_lines {
    const char *name;
    gzFile file;        /* NULL: from memory */
    const char *memory; /* what of it has not been read */
    size_t memory_bytes;
    double bytes_max; /* bound of the whole text, uncompressed; infinite: not known */
    char block[SPARSE_MARKET_BLOCK];
    size_t at, filled; /* in the block */
    char line[SPARSE_MARKET_LINE + 1];
    bool is_too_long;
    size_t line_bytes; /* of the line, with what did not fit */
    long number;       /* of the line, from 1 */
    char *next;        /* the rest of the line */
};

/* What the first lines say. */
struct sparse_market_header {
    bool is_array, is_pattern, is_integer;
    bool is_symmetric, is_skew; /* skew: a(j, i) = -a(i, j); else symmetric or general */
    int64_t rows, columns;
    int64_t entries; /* that the file lists */
};

enum dm_status sparse_market_open(struct sparse_market_lines *lines, const char *path);
void sparse_market_close(struct sparse_market_lines *lines);

/* The next line, whatever it holds; *is_line is false behind the last one. */
enum dm_status sparse_market_any_line(struct sparse_market_lines *lines, bool *is_line);

/* The next line that is neither a comment nor blank. */
enum dm_status sparse_market_next_line(struct sparse_market_lines *lines, bool *is_line);

/* The next word of the line, cut out in place; empty at the end of the line. */
char *sparse_market_word(struct sparse_market_lines *lines);

/* Fails with `NAME: line N: expected WHAT, found WORD`. An empty word is the end of the line. */
enum dm_status sparse_market_expected(struct sparse_market_lines *lines, const char *word,
                                      const char *what, ...) __attribute__((format(printf, 3, 4)));

/* The next word as a whole number from `minimum` to `maximum`. */
enum dm_status sparse_market_index(struct sparse_market_lines *lines, const char *what,
                                   int64_t minimum, int64_t maximum, int64_t *number);

/* The next word as a finite number; digits and a sign only if it has to be whole. */
enum dm_status sparse_market_number(struct sparse_market_lines *lines, bool is_integer,
                                    double *number);

/* Nothing may be left of the line. */
enum dm_status sparse_market_end_line(struct sparse_market_lines *lines);

/* Reads the lines up to the sizes, and fails for sizes that the file or this machine's memory
 * cannot hold. */
enum dm_status sparse_market_read_header(struct sparse_market_lines *lines,
                                         struct sparse_market_header *header);

#endif
