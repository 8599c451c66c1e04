/* split_samples_lines.h: the rows of a CSV file (RFC 4180), each on a line, plain or gzip. */
#ifndef SPMV_SPLIT_SAMPLES_LINES_H
#define SPMV_SPLIT_SAMPLES_LINES_H

#include <zlib.h>

#include "sparse.h"

enum { SPLIT_LINE_BYTES = 1 << 14, SPLIT_MOST_CELLS = 100 };

struct split_lines {
    const char *path;
    struct sparse_error *error;
    gzFile file;
    long number; /* of the line, from 1 */
    char text[SPLIT_LINE_BYTES];
    char *cells[SPLIT_MOST_CELLS]; /* of the line, without quotes */
    size_t count;                  /* of cells; 0: the file is at its end */
};

/* False: it cannot be read. */
bool split_lines_open(struct split_lines *lines, const char *path, struct sparse_error *error);
void split_lines_close(struct split_lines *lines);

/* The next line. False: damaged, cut off, or no text. */
bool split_lines_next(struct split_lines *lines);

/* Sets `FILE:LINE: what is wrong`; false. */
bool split_lines_complain(struct split_lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
