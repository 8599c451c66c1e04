/* csv.h: tables of text (RFC 4180), row by row. */
#ifndef CSV_H
#define CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <datamotion/status.h>

enum { CSV_CELLS_MAX = 256 /* of a row */ };

enum csv_row {
    CSV_ROW,
    CSV_END,
    CSV_CUT,   /* the file ends within this row: there is no end of line */
    CSV_BROKEN /* quotes at a wrong place, or too many cells */
};

struct csv {
    char *text;
    size_t length;
    size_t begin;               /* of the row that was read last */
    size_t line;                /* its line, from 1 */
    size_t count;               /* its cells */
    char *cells[CSV_CELLS_MAX]; /* without quotes, valid until release */
    size_t next, next_line;
};

/* Reads a file, decompressed if gzip compressed it. DM_FAILED: it cannot be read; DM_INVALID: it
 * ends within compressed data, is no text, or has more than 1 GiB; DM_NO_MEMORY. */
enum dm_status csv_load(struct csv *csv, const char *path);
void csv_release(struct csv *csv);

/* Reads the next row. */
enum csv_row csv_next(struct csv *csv);

/* The cell of the row that was read last with this text; count if there is none. */
size_t csv_find(const struct csv *csv, const char *text);

/* All of `text` is a finite decimal number. */
bool csv_number(const char *text, double *number);

/* Writes a cell, in quotes where it needs them, after the character `before` unless that is 0. */
void csv_write(FILE *out, const char *cell, char before);

#endif
