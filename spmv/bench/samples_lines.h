/* samples_lines.h: the rows of a CSV file (RFC 4180), each on a line, plain or gzip. */
#ifndef SPMV_BENCH_SAMPLES_LINES_H
#define SPMV_BENCH_SAMPLES_LINES_H

#include <zlib.h>

#include "common/error.h"

enum { SPLIT_LINE_BYTES = 1 << 14, SPLIT_CELLS_MAX = 100 };

struct split_lines {
    const char *path;
    gzFile file;
    long number; /* of the line, from 1 */
    char text[SPLIT_LINE_BYTES];
    char *cells[SPLIT_CELLS_MAX]; /* of the line, without quotes */
    size_t count;                 /* of cells; 0: the file is at its end */
};

enum dm_status split_lines_open(struct split_lines *lines, const char *path);
void split_lines_close(struct split_lines *lines);

/* The next line. DM_INVALID: it is damaged, cut off, or no text. */
enum dm_status split_lines_next(struct split_lines *lines);

/* Fails with `FILE:LINE: what is wrong`. */
enum dm_status split_lines_invalid(struct split_lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
