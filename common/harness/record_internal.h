/* record_internal.h: the rows of a run, shared by the writers of CSV, JSON and the table. */
#ifndef COMMON_RECORD_INTERNAL_H
#define COMMON_RECORD_INTERNAL_H

#include <stdio.h>
#include <time.h>

#include "machine_state.h"
#include "placement.h"
#include "program.h"

/* One cell. */
struct value {
    enum { VALUE_NONE, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT } kind;
    union {
        int64_t integer;
        double real;
        const char *text;
    } as;
};

static inline struct value none(void)
{
    return (struct value){.kind = VALUE_NONE};
}
static inline struct value integer(int64_t number)
{
    return (struct value){.kind = VALUE_INTEGER, .as.integer = number};
}
static inline struct value real(double number)
{
    return (struct value){.kind = VALUE_REAL, .as.real = number};
}
static inline struct value text(const char *string)
{
    return (struct value){.kind = VALUE_TEXT, .as.text = string};
}

struct row {
    const char *variant;
    int repetition;
    struct value *values; /* NULL in a waived row */
    double time_s;
    long errors;
    const char *waived; /* the reason, NULL if not waived */
};

/* Rows of one variant with equal parameters. */
struct configuration {
    size_t *rows; /* indices */
    size_t count;
};

struct recorder {
    const struct run *run;
    struct row *rows;
    size_t row_count, row_capacity;
    size_t column_count;
    FILE *out;     /* the data */
    char *partial; /* temporary name of the data file; NULL: stdout */
    char host[256];
    time_t start;
    struct machine_state before;  /* the measurements */
    struct placement *placements; /* of all ranks */
};

/* Text of a cell as written everywhere: "" for none and for numbers that are not finite. */
const char *record_format(struct value value, char *buffer, size_t bytes);

/* Groups the measured rows into configurations, in order of first appearance. */
struct configuration *record_configurations(const struct recorder *recorder, size_t *count);
void record_free_configurations(struct configuration *configurations, size_t count);

void record_write_csv_header(const struct recorder *recorder);
void record_write_csv_row(const struct recorder *recorder, const struct row *row);

/* The JSON document; with_results adds every configuration with its samples. */
void record_write_json(const struct recorder *recorder, FILE *out, bool with_results,
                       enum exit_code status, const char *reason);

/* The table to read, on stdout. */
void record_write_table(const struct recorder *recorder, FILE *out);

/* Ends the program if --reference cannot be read or names no column: before anything is measured.
 */
void record_check_reference(const struct recorder *recorder);

/* Judges --reference: EXIT_PASS or EXIT_OUT_OF_REFERENCE, with a sentence in `reason`. */
enum exit_code record_judge(const struct recorder *recorder, char *reason, size_t bytes);

#endif
