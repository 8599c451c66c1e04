/* csv.h: a strict reader of CSV (RFC 4180), plain or gzip.
 *
 * Lines end with \n or \r\n, the last one too: a file that was cut off is an error. A record that
 * is not by the rules ends the tool with `file:line: what`. */
#ifndef RUN_CSV_H
#define RUN_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

struct csv {
    const char *path;
    gzFile file;
    long line;      /* of the first character of the current record */
    size_t columns; /* of the first record; 0 before it */
    char **fields;  /* of the current record, `columns` of them; valid until the next csv_read */

    long next_line;
    char *text; /* the current record's fields, each ended by '\0' */
    size_t text_length, text_capacity;
    size_t *starts; /* of the fields in text */
    size_t starts_capacity;
    size_t count;
};

/* Opens a file; ends the tool if it cannot be read. `path` must stay valid. */
void csv_open(struct csv *csv, const char *path);

/* Reads the next record into fields; false at the end. Every record has as many fields as the
 * first. */
bool csv_read(struct csv *csv);

void csv_close(struct csv *csv);

#endif
