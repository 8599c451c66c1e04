/* record.h: what a program measured, as CSV, JSON or a table to read.
 *
 * CSV: one row per repetition; columns experiment,variant,gpu,host,rank,ranks,gpus,rep, then the
 * program's parameters and metrics, then time_s,errors,status (pass, fail or waived). A file is
 * written under a temporary name and appears under its own only when complete; it never replaces an
 * existing one. Beside FILE.csv stands FILE.json: program, version, commit, command line, UTC
 * times, machine, devices, columns. */
#ifndef COMMON_RECORD_H
#define COMMON_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum column_kind {
    COLUMN_PARAMETER, /* chosen: rows with equal parameters and variant are repetitions of one
                         another */
    COLUMN_METRIC     /* measured or derived */
};

/* A column is a member of the program's row:
 *
 *     struct row {
 *         const char *direction;
 *         size_t size_bytes;
 *         double bandwidth_gbs;
 *     };
 *     static const struct column columns[] = {
 *         PARAMETER(struct row, direction, "h2d: host to GPU; d2h: GPU to host"),
 *         PARAMETER(struct row, size_bytes, "size of the block"),
 *         METRIC(struct row, bandwidth_gbs, "size_bytes / time_s in 10^9 byte/s"),
 *         {0},
 *     };
 *
 * Members are int, int64_t, size_t, uint64_t, bool, double or const char *. A cell is empty where
 * the member is NULL, NaN or, of an int64_t, NO_VALUE. */
enum column_type {
    COLUMN_INT,
    COLUMN_INT64,
    COLUMN_UINT64,
    COLUMN_BOOL,
    COLUMN_DOUBLE,
    COLUMN_TEXT
};

struct column {
    const char *name; /* snake_case with its unit: size_bytes, bandwidth_gbs */
    enum column_kind kind;
    const char *meaning;
    enum column_type type;
    size_t offset; /* of the member */
};

#define PARAMETER(row, member, meaning) COLUMN(COLUMN_PARAMETER, row, member, meaning)
#define METRIC(row, member, meaning)    COLUMN(COLUMN_METRIC, row, member, meaning)

/* clang-format off */
#define COLUMN(kind, row, member, meaning)                                                         \
    {#member, kind, meaning,                                                                       \
     _Generic(((row *)0)->member, int: COLUMN_INT, long: COLUMN_INT64, unsigned long: COLUMN_UINT64, \
              _Bool: COLUMN_BOOL, double: COLUMN_DOUBLE, const char *: COLUMN_TEXT),               \
     offsetof(row, member)}
/* clang-format on */

#define NO_VALUE INT64_MIN

struct run; /* program.h */

/* Opens the output (exclusively, if it is a file). Called by program_main. */
void record_open(struct run *run);

/* Adds one row; `row` is the program's structure. time_s is per operation; NaN is an empty cell.
 * errors > 0 makes the row's status `fail` and the program's exit code 1. */
void record_row(struct run *run, const char *variant, int repetition, const void *row,
                double time_s, long errors);

/* Notes that a variant cannot run here, and why: a row with status waived, the reason in the JSON.
 * The parameters are left empty. */
void record_waived(struct run *run, const char *variant, const char *reason);

/* What record_keep did. */
enum record_kept {
    RECORD_NOTHING, /* nothing was measured yet: no file */
    RECORD_CLOSING, /* record_close has begun: nothing is left to do */
    RECORD_WRITTEN, /* the rows so far are written as record_close does, with status TIMEOUT */
    RECORD_WRONG    /* the same, and some results were wrong: status FAIL */
};

/* Keeps the rows of a program that reached its time limit. For a thread beside the program's, whose
 * rows are refused from now on: it waits. Only on rank 0. */
enum record_kept record_keep(struct run *run);

/* Writes what is left, puts the files in place and returns the exit code: EXIT_FAIL if any row had
 * errors, EXIT_WAIVED if nothing but waived rows were written, else EXIT_PASS. */
int record_close(struct run *run);

#endif
