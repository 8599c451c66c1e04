/* tuner_csv.h: tables of text (RFC 4180), row by row. */
#ifndef TUNER_CSV_H
#define TUNER_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TUNER_CSV_CELLS = 256 /* of a row, at most */ };

enum tuner_csv_row {
    TUNER_CSV_ROW,
    TUNER_CSV_END,
    TUNER_CSV_CUT,   /* the file ends within this row: there is no end of line */
    TUNER_CSV_BROKEN /* quotes at a wrong place, or too many cells */
};

struct tuner_csv {
    char *text;
    size_t length;
    size_t begin;                 /* of the row that was read last */
    size_t line;                  /* its line, from 1 */
    size_t count;                 /* its cells */
    char *cells[TUNER_CSV_CELLS]; /* without quotes, valid until release */
    size_t next, next_line;
};

/* Reads a file, decompressed if it is gzip's. False with a sentence: it cannot be read, ends within
 * compressed data, is no text, or has more than 1 GiB. */
bool tuner_csv_load(struct tuner_csv *csv, const char *path, const char **complaint);
void tuner_csv_release(struct tuner_csv *csv);

/* Reads the next row. */
enum tuner_csv_row tuner_csv_next(struct tuner_csv *csv);

/* The cell of the row that was read last with this text; count if there is none. */
size_t tuner_csv_find(const struct tuner_csv *csv, const char *text);

/* All of `text` is a finite decimal number. */
bool tuner_csv_number(const char *text, double *number);

/* Writes a cell, in quotes where it needs them, after the character `before` unless that is 0. */
void tuner_csv_write(FILE *out, const char *cell, char before);

#endif
