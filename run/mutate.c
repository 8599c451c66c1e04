/* mutate: copies a machine's results with wrong numbers, so that run/falsify can see verdicts fall.
 *
 * Called with the kind of change, the results directory and an empty directory for the copy.
 * Parameters and the number of repetitions stay; times and metrics change. */
#include <errno.h>
#include <glob.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csv.h"
#include "database.h"
#include "tool.h"

enum { VARIANT = 1, TIME_FROM_END = 3, ERRORS_FROM_END = 2, STATUS_FROM_END = 1 };

/* A result: its cells by row and column, and which columns hold what was measured. */
struct result {
    size_t rows, columns;
    char ***cells; /* the header first */
    bool *measured;
};

static char **copy_row(const struct csv *csv)
{
    char **row = tool_resize(NULL, csv->columns * sizeof *row);
    for (size_t i = 0; i < csv->columns; i++)
        row[i] = tool_text("%s", csv->fields[i]);
    return row;
}

/* The metrics, by the JSON document, and the time. */
static void find_measured(struct result *result, sqlite3 *database, const char *document)
{
    result->measured = memset(tool_resize(NULL, result->columns), 0, result->columns);
    result->measured[result->columns - TIME_FROM_END] = true;
    sqlite3_stmt *query = database_prepare(
        database,
        "SELECT json_extract(value, '$.name') FROM json_each(%Q, '$.columns') WHERE "
        "json_extract(value, '$.kind') = 'metric'",
        document);
    while (database_row(query))
        for (size_t i = 0; i < result->columns; i++)
            if (strcmp(result->cells[0][i], database_text(query, 0)) == 0)
                result->measured[i] = true;
}

static struct result read_result(sqlite3 *database, const char *path, const char *document)
{
    struct result result = {0};
    struct csv csv;
    csv_open(&csv, path);
    while (csv_read(&csv)) {
        result.cells = tool_resize(result.cells, (result.rows + 1) * sizeof *result.cells);
        result.cells[result.rows++] = copy_row(&csv);
        result.columns = csv.columns;
    }
    csv_close(&csv);
    find_measured(&result, database, document);
    return result;
}

static void write_result(const struct result *result, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        tool_fail("%s: cannot be written: %s", path, strerror(errno));
    for (size_t row = 0; row < result->rows; row++)
        for (size_t i = 0; i < result->columns; i++) {
            const char *cell = result->cells[row][i];
            const bool quoted = cell[strcspn(cell, ",\"\r\n")] != '\0';
            fputs(quoted ? "\"" : "", file);
            for (; *cell; cell++)
                fprintf(file, *cell == '"' ? "\"\"" : "%c", *cell);
            fprintf(file, "%s%c", quoted ? "\"" : "", i + 1 < result->columns ? ',' : '\n');
        }
    const bool broken = ferror(file);
    if (fclose(file) != 0 || broken)
        tool_fail("%s: cannot be written: %s", path, strerror(errno));
}

static void free_result(struct result *result)
{
    for (size_t row = 0; row < result->rows; row++) {
        for (size_t i = 0; i < result->columns; i++)
            free(result->cells[row][i]);
        free(result->cells[row]);
    }
    free(result->cells);
    free(result->measured);
}

static bool is_number(const char *cell, double *number)
{
    char *end;
    *number = strtod(cell, &end);
    return *cell && *end == '\0';
}

static void replace(char **cell, char *text)
{
    free(*cell);
    *cell = text;
}

static bool passed(const struct result *result, size_t row)
{
    return strcmp(result->cells[row][result->columns - STATUS_FROM_END], "pass") == 0;
}

/* Whether the row has a time: only such rows take the place of one another. */
static bool timed(const struct result *result, size_t row)
{
    return passed(result, row) && *result->cells[row][result->columns - TIME_FROM_END];
}

/* A new value for a measured number; `row` counts from 1. */
typedef double change_number(double number, size_t row, uint64_t *state);

static void change_numbers(struct result *result, change_number *change)
{
    uint64_t state = 20180731;
    for (size_t row = 1; row < result->rows; row++)
        for (size_t i = 0; i < result->columns && passed(result, row); i++) {
            double number;
            if (result->measured[i] && is_number(result->cells[row][i], &number))
                replace(&result->cells[row][i], tool_text("%.9g", change(number, row, &state)));
        }
}

/* xorshift64*, scaled to 0 .. 1. */
static double uniform(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)(*state * UINT64_C(2685821657736338717) >> 11) / 9007199254740992.0;
}

static double to_one(double number, size_t row, uint64_t *state)
{
    (void)number, (void)row, (void)state;
    return 1;
}

static double to_zero(double number, size_t row, uint64_t *state)
{
    (void)number, (void)row, (void)state;
    return 0;
}

static double invert(double number, size_t row, uint64_t *state)
{
    (void)row, (void)state;
    return number != 0 ? 1 / number : 0;
}

static double add_seven(double number, size_t row, uint64_t *state)
{
    (void)row, (void)state;
    return number + 7;
}

static double disturb(double number, size_t row, uint64_t *state)
{
    (void)row;
    return number * exp(4 * uniform(state) - 2);
}

/* Rows that follow one another drift apart, so that no trend and no ratio stays. */
static double drift(double number, size_t row, uint64_t *state)
{
    (void)state;
    return number * (1 + (double)(row % 97));
}

/* The times alone, so that rates and shares no longer fit them. */
static void slow_times(struct result *result)
{
    for (size_t row = 1; row < result->rows; row++) {
        char **cell = &result->cells[row][result->columns - TIME_FROM_END];
        double number;
        if (is_number(*cell, &number))
            replace(cell, tool_text("%.9g", 30 * number));
    }
}

/* Swaps what two rows measured. */
static void swap_measured(struct result *result, size_t a, size_t b)
{
    for (size_t i = 0; i < result->columns; i++)
        if (result->measured[i]) {
            char *kept = result->cells[a][i];
            result->cells[a][i] = result->cells[b][i];
            result->cells[b][i] = kept;
        }
}

static void reverse_rows(struct result *result)
{
    for (size_t low = 1, high = result->rows - 1; low < high;) {
        if (!timed(result, low))
            low++;
        else if (!timed(result, high))
            high--;
        else
            swap_measured(result, low++, high--);
    }
}

static void shuffle_rows(struct result *result)
{
    uint64_t state = 20200911;
    for (size_t row = result->rows - 1; row > 1; row--) {
        const size_t other = 1 + (size_t)(uniform(&state) * (double)row);
        if (timed(result, row) && timed(result, other))
            swap_measured(result, row, other);
    }
}

/* Position of the row's variant among those of the result, in the order of their first rows. */
static size_t variant_of(const struct result *result, size_t row, const char *names[],
                         size_t *count)
{
    enum { VARIANTS_MAX = 256 };
    const char *name = result->cells[row][VARIANT];
    for (size_t i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    if (*count == VARIANTS_MAX)
        tool_fail("more than %d variants", VARIANTS_MAX);
    names[*count] = name;
    return (*count)++;
}

/* Each variant takes the name of the next one, and the last that of the first. */
static void rotate_variants(struct result *result)
{
    const char *names[256];
    size_t count = 0, *variants = tool_resize(NULL, result->rows * sizeof *variants);
    for (size_t row = 1; row < result->rows; row++)
        variants[row] = variant_of(result, row, names, &count);
    char *kept[256];
    for (size_t i = 0; i < count; i++)
        kept[i] = tool_text("%s", names[i]);
    for (size_t row = 1; row < result->rows; row++)
        if (passed(result, row))
            replace(&result->cells[row][VARIANT],
                    tool_text("%s", kept[(variants[row] + 1) % count]));
    for (size_t i = 0; i < count; i++)
        free(kept[i]);
    free(variants);
}

/* Every second variant takes six times as long and has six times as much of everything. */
static void scale_variants(struct result *result)
{
    const char *names[256];
    size_t count = 0;
    for (size_t row = 1; row < result->rows; row++)
        for (size_t i = 0, odd = variant_of(result, row, names, &count) % 2;
             odd && i < result->columns; i++) {
            double number;
            if (result->measured[i] && is_number(result->cells[row][i], &number))
                replace(&result->cells[row][i], tool_text("%.9g", 6 * number));
        }
}

static void change_texts(struct result *result)
{
    for (size_t row = 1; row < result->rows; row++)
        for (size_t i = 0; i < result->columns && passed(result, row); i++) {
            double number;
            if (result->measured[i] && *result->cells[row][i] &&
                !is_number(result->cells[row][i], &number))
                replace(&result->cells[row][i], tool_text("other"));
        }
}

/* Every row had a wrong result. */
static void fail_rows(struct result *result)
{
    for (size_t row = 1; row < result->rows; row++)
        if (passed(result, row)) {
            replace(&result->cells[row][result->columns - ERRORS_FROM_END], tool_text("1"));
            replace(&result->cells[row][result->columns - STATUS_FROM_END], tool_text("fail"));
        }
}

static const struct mutation {
    const char *name;
    change_number *number; /* either this */
    void (*result)(struct result *result);
} mutations[] = {
    {"ones", to_one, NULL},           {"zeros", to_zero, NULL},
    {"inverted", invert, NULL},       {"plus-seven", add_seven, NULL},
    {"noise", disturb, NULL},         {"drift", drift, NULL},
    {"slow", NULL, slow_times},       {"reversed", NULL, reverse_rows},
    {"shuffled", NULL, shuffle_rows}, {"rotated", NULL, rotate_variants},
    {"scaled", NULL, scale_variants}, {"texts", NULL, change_texts},
    {"failed", NULL, fail_rows},
};
enum { MUTATIONS = sizeof mutations / sizeof *mutations };

static void mutate_result(const struct mutation *mutation, sqlite3 *database, const char *json,
                          const char *copies)
{
    char *stem = tool_text("%.*s", (int)(strlen(json) - strlen(".json")), json);
    const char *name = strrchr(stem, '/') + 1;
    char *plain = tool_text("%s.csv", stem), *packed = tool_text("%s.csv.gz", stem);
    char *document = tool_read_file(json);
    char *copy = tool_text("%s/%s.csv", copies, name),
         *beside = tool_text("%s/%s.json", copies, name);
    struct result result =
        read_result(database, access(plain, R_OK) == 0 ? plain : packed, document);
    if (mutation->number)
        change_numbers(&result, mutation->number);
    else
        mutation->result(&result);
    write_result(&result, copy);
    char *whole = realpath(json, NULL);
    if (!whole || symlink(whole, beside) != 0)
        tool_fail("%s: cannot be linked: %s", beside, strerror(errno));
    free_result(&result);
    free(whole);
    free(beside);
    free(copy);
    free(document);
    free(packed);
    free(plain);
    free(stem);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        for (size_t i = 0; i < MUTATIONS; i++)
            puts(mutations[i].name);
        return 0;
    }
    const struct mutation *mutation = NULL;
    for (size_t i = 0; argc == 4 && i < MUTATIONS; i++)
        if (strcmp(argv[1], mutations[i].name) == 0)
            mutation = &mutations[i];
    if (!mutation)
        tool_fail("Usage: mutate list | mutate KIND RESULTS COPY; run/falsify calls it");
    sqlite3 *database = database_open(":memory:", true);
    char *pattern = tool_text("%s/*.json", argv[2]);
    glob_t files;
    if (glob(pattern, 0, NULL, &files) != 0)
        tool_fail("%s: no results", argv[2]);
    for (size_t i = 0; i < files.gl_pathc; i++)
        mutate_result(mutation, database, files.gl_pathv[i], argv[3]);
    globfree(&files);
    free(pattern);
    sqlite3_close(database);
    return 0;
}
