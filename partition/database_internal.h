/* database_internal.h: the reader of data bases, between its parts. */
#ifndef DATABASE_INTERNAL_H
#define DATABASE_INTERNAL_H

#include "database.h"

struct database_reader {
    struct database *database;
    struct database_kernel *kernel;      /* the one that is open, or NULL */
    struct database_argument *argument;  /* of the kernel, or NULL */
    unsigned kernel_keys, argument_keys; /* bit i: key i of the table has been there */
    char reason[PARTITION_REASON];
};

/* One line without its end. Returns false with reader->reason, without the line's number. */
bool database_read_line(struct database_reader *reader, char *line);

/* Whether the last kernel is complete. */
bool database_end(struct database_reader *reader);

/* reader->reason = ...; returns false. */
bool database_refuse(struct database_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- database_argument.c ---- */

/* A key of an argument; *known is false if it is none. */
bool database_argument_key(struct database_reader *reader, const char *key, char *value,
                           bool *known);
/* Ends the open argument, if there is one. */
bool database_end_argument(struct database_reader *reader);

/* Replaces *target by a copy. */
bool database_copy(struct database_reader *reader, char **target, const char *text);

#endif
