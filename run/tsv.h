/* tsv.h: a reader of the suite's own lists: fields between tabs, a header line, `#` lines are
 * comments. */
#ifndef RUN_TSV_H
#define RUN_TSV_H

#include <stdbool.h>

enum { TSV_MOST_COLUMNS = 16 };

struct tsv {
    const char *path;
    long line;
    int columns;
    char *fields[TSV_MOST_COLUMNS]; /* of the current row; valid until tsv_close */
    char *text, *rest;
};

/* Opens a file whose header must be the names, ended by NULL, in their order; ends the tool if it
 * is not so. `path` must stay valid. */
void tsv_open(struct tsv *tsv, const char *path, const char *const *names);

/* Reads the next row into fields; false at the end. A row with another number of fields is an
 * error. */
bool tsv_read(struct tsv *tsv);

void tsv_close(struct tsv *tsv);

#endif
