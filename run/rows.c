#include "rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "csv.h"
#include "database.h"
#include "tool.h"

/* START is there where an experiment was measured in several starts of its program. */
enum { EXPERIMENT, VARIANT, GPU, HOST, RANK, RANKS, GPUS, REP, START, FIRST_COLUMNS };
static const char *const first_names[FIRST_COLUMNS] = {
    "experiment", "variant", "gpu", "host", "rank", "ranks", "gpus", "rep", "start"};
enum { TIME, ERRORS, STATUS, LAST_COLUMNS };
static const char *const last_names[LAST_COLUMNS] = {"time_s", "errors", "status"};

/* Names that ID_median adds. */
static const char *const taken_names[] = {
    "n", "starts", "time_low_s", "time_high_s", "n_effective", "halves_separate", "starts_differ"};

/* How many of the first columns the file has. */
static size_t first_columns(const struct csv *header)
{
    bool has_start = header->columns > START && strcmp(header->fields[START], "start") == 0;
    return has_start ? FIRST_COLUMNS : START;
}

static bool is_column_name(const char *name)
{
    return *name >= 'a' && *name <= 'z' &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

static void check_own_name(const struct csv *csv, size_t column)
{
    const char *name = csv->fields[column];
    if (!is_column_name(name))
        tool_fail_at(csv->path, 1, "column '%s' is not in snake_case", name);
    for (size_t i = 0; i < csv->columns; i++)
        if (i != column && strcmp(name, csv->fields[i]) == 0)
            tool_fail_at(csv->path, 1, "column '%s' is there twice", name);
    for (size_t i = 0; i < sizeof taken_names / sizeof *taken_names; i++)
        if (strcmp(name, taken_names[i]) == 0)
            tool_fail_at(csv->path, 1, "column name '%s' is taken by the table of medians", name);
}

/* The header must be the common columns around the program's own, and these must be the document's.
 * Returns how many come first. */
static size_t check_header(sqlite3 *database, struct csv *csv)
{
    if (!csv_read(csv))
        tool_fail_at(csv->path, 1, "the file is empty");
    const size_t first = first_columns(csv);
    if (csv->columns < first + LAST_COLUMNS)
        tool_fail_at(csv->path, 1, "the header has %zu columns, the common ones alone are %zu",
                     csv->columns, first + LAST_COLUMNS);
    for (size_t i = 0; i < first; i++)
        if (strcmp(csv->fields[i], first_names[i]) != 0)
            tool_fail_at(csv->path, 1, "column %zu is '%s' and must be '%s'", i + 1, csv->fields[i],
                         first_names[i]);
    size_t last = csv->columns - LAST_COLUMNS;
    for (size_t i = 0; i < LAST_COLUMNS; i++)
        if (strcmp(csv->fields[last + i], last_names[i]) != 0)
            tool_fail_at(csv->path, 1, "column %zu is '%s' and must be '%s'", last + i + 1,
                         csv->fields[last + i], last_names[i]);
    sqlite3_stmt *query =
        database_prepare(database, "SELECT name, kind FROM own_columns ORDER BY position");
    size_t column = first;
    for (; database_row(query); column++) {
        const char *name = database_text(query, 0), *kind = database_text(query, 1);
        if (column >= last || strcmp(name, csv->fields[column]) != 0)
            tool_fail_at(csv->path, 1,
                         "the JSON document has column '%s' where the header has '%s'", name,
                         column < last ? csv->fields[column] : "none");
        if (strcmp(kind, "parameter") != 0 && strcmp(kind, "metric") != 0)
            tool_fail_at(csv->path, 1,
                         "the JSON document says column '%s' is a '%s', which is not "
                         "parameter or metric",
                         name, kind);
        check_own_name(csv, column);
    }
    if (column < last)
        tool_fail_at(csv->path, 1, "the JSON document does not have column '%s'",
                     csv->fields[column]);
    return first;
}

static bool is_whole_number(const char *text)
{
    return *text && strlen(text) <= 18 && text[strspn(text, "0123456789")] == '\0';
}

static bool is_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return *text && text[strspn(text, "0123456789.eE+-")] == '\0' && *end == '\0' &&
           isfinite(*value);
}

static bool is_time(const char *text)
{
    double value;
    return is_number(text, &value) && value >= 0.0;
}

static bool is_no_number(const char *text)
{
    if (*text == '-' || *text == '+')
        text++;
    return strcasecmp(text, "nan") == 0 || strcasecmp(text, "inf") == 0 ||
           strcasecmp(text, "infinity") == 0;
}

static void check_row(const struct csv *csv, const char *id, size_t first_count)
{
    char **first = csv->fields, **last = csv->fields + csv->columns - LAST_COLUMNS;
    if (strcmp(first[EXPERIMENT], id) != 0)
        tool_fail_at(csv->path, csv->line, "experiment is '%s' and must be '%s'", first[EXPERIMENT],
                     id);
    for (size_t i = RANK; i < first_count; i++)
        if (!is_whole_number(first[i]))
            tool_fail_at(csv->path, csv->line, "%s '%s' is not a whole number", first_names[i],
                         first[i]);
    for (size_t i = REP; i < first_count; i++)
        if (strtol(first[i], NULL, 10) >= STARTS_APART)
            tool_fail_at(csv->path, csv->line, "%s %s must be below %d", first_names[i], first[i],
                         STARTS_APART);
    if (!is_whole_number(last[ERRORS]))
        tool_fail_at(csv->path, csv->line, "errors '%s' is not a whole number", last[ERRORS]);
    if (*last[TIME] && !is_time(last[TIME]))
        tool_fail_at(csv->path, csv->line, "time_s '%s' is not a time in seconds", last[TIME]);
    bool pass = strcmp(last[STATUS], "pass") == 0, waived = strcmp(last[STATUS], "waived") == 0;
    if (!pass && !waived && strcmp(last[STATUS], "fail") != 0)
        tool_fail_at(csv->path, csv->line, "status '%s' is not pass, fail or waived", last[STATUS]);
    if (pass && strtol(last[ERRORS], NULL, 10) != 0)
        tool_fail_at(csv->path, csv->line, "status is pass with %s errors", last[ERRORS]);
    for (size_t i = first_count; i <= csv->columns - LAST_COLUMNS; i++) {
        if (waived && *csv->fields[i])
            tool_fail_at(csv->path, csv->line, "a waived row has the value '%s'", csv->fields[i]);
        if (is_no_number(csv->fields[i]))
            tool_fail_at(csv->path, csv->line,
                         "'%s' is not a number; a value that is not applicable is an "
                         "empty cell",
                         csv->fields[i]);
    }
}

/* Whether each column is REAL: time_s, and metrics that are a number in every row. Their ratios are
 * then no divisions of integers. Where a metric is a text in some row, its numbers stay as they are
 * written. */
static bool *real_columns(sqlite3 *database, const struct csv *header)
{
    bool *real = memset(tool_resize(NULL, header->columns * sizeof *real), 0,
                        header->columns * sizeof *real);
    sqlite3_stmt *kinds =
        database_prepare(database, "SELECT kind FROM own_columns ORDER BY position");
    for (size_t column = first_columns(header); database_row(kinds); column++)
        real[column] = strcmp(database_text(kinds, 0), "metric") == 0;
    real[header->columns - LAST_COLUMNS + TIME] = true;
    struct csv csv;
    csv_open(&csv, header->path);
    csv_read(&csv); /* the header */
    while (csv_read(&csv))
        for (size_t i = 0; i < csv.columns; i++) {
            double value;
            real[i] = real[i] && (!*csv.fields[i] || is_number(csv.fields[i], &value));
        }
    csv_close(&csv);
    return real;
}

/* Makes the table of the header, with the statement that inserts a row. */
static sqlite3_stmt *make_table(sqlite3 *database, const struct csv *header, const char *table)
{
    bool *real = real_columns(database, header);
    sqlite3_str *columns = sqlite3_str_new(database), *marks = sqlite3_str_new(database);
    for (size_t i = 0; i < header->columns; i++) {
        sqlite3_str_appendf(columns, "%s\"%w\" %s", i ? ", " : "", header->fields[i],
                            real[i] ? "REAL" : "NUMERIC");
        sqlite3_str_appendf(marks, "%snullif(?, '')", i ? ", " : "");
    }
    free(real);
    char *column_text = sqlite3_str_finish(columns), *mark_text = sqlite3_str_finish(marks);
    database_run(database, "CREATE TABLE \"%w\"(%s)", table, column_text);
    sqlite3_stmt *insert =
        database_prepare(database, "INSERT INTO \"%w\" VALUES(%s)", table, mark_text);
    sqlite3_free(column_text);
    sqlite3_free(mark_text);
    return insert;
}

/* A configuration has each repetition once: a row that is there twice would count twice. */
static void refuse_duplicates(sqlite3 *database, const char *path, const char *table)
{
    sqlite3_str *group = sqlite3_str_new(database);
    sqlite3_stmt *query = database_prepare(
        database, "SELECT name FROM own_columns WHERE kind = 'parameter' ORDER BY position");
    while (database_row(query))
        sqlite3_str_appendf(group, ", \"%w\"", database_text(query, 0));
    char *parameters = sqlite3_str_finish(group);
    char *row =
        database_value(database,
                       "SELECT max(rowid) FROM \"%w\" WHERE status = 'pass' AND time_s IS NOT NULL "
                       "GROUP BY variant, gpu, host, rank, ranks, gpus, rep%s HAVING count(*) > 1",
                       table, parameters ? parameters : "");
    if (row) /* the first row stands below the header */
        tool_fail_at(path, strtol(row, NULL, 10) + 1,
                     "the same configuration and repetition is there twice");
    sqlite3_free(parameters);
}

void rows_load(sqlite3 *database, const char *path, const char *id, const char *table)
{
    struct csv csv;
    csv_open(&csv, path);
    const size_t first = check_header(database, &csv);
    sqlite3_stmt *insert = make_table(database, &csv, table);
    long count = 0;
    for (; csv_read(&csv); count++) {
        check_row(&csv, id, first);
        database_insert(insert, (int)csv.columns, (const char *const *)csv.fields);
    }
    if (count == 0)
        tool_fail_at(path, 1, "no rows follow the header");
    /* The repetitions of each start get numbers of their own, from which interval_low() and its
     * like tell the starts. */
    if (first > START)
        database_run(database, "UPDATE \"%w\" SET rep = rep + start * %d", table, STARTS_APART);
    refuse_duplicates(database, path, table);
    database_run(
        database,
        "UPDATE experiments SET (gpu, host) = (SELECT gpu, host FROM \"%w\" WHERE rowid = 1) "
        "WHERE id = %Q",
        table, id);
    sqlite3_finalize(insert);
    csv_close(&csv);
}
