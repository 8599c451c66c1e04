/* Measured points as an objective. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <datamotion/tuner.h>

#include "common/error.h"

#include "allocate.h"
#include "csv.h"
#include "replay_columns.h"

enum { ROWS_MAX = 1000000, FIRST_ROWS = 1024 };

struct tuner_replay {
    struct tuner_space *space;
    double *times; /* of each configuration; NaN: invalid */
    size_t valid;
    double best_s;
};

/* What is known while a table is read. */
struct reader {
    struct csv csv;
    const char *path;
    size_t columns;      /* cells of each row */
    size_t time, filter; /* columns; `columns`: there is no filter */
    const char *filter_value;
    size_t parameters;
    size_t column_of[TUNER_PARAMETERS_MAX];
    const char *names[TUNER_PARAMETERS_MAX];
    const char **cells; /* rows x parameters, row by row */
    double *times;      /* of each row */
    size_t rows, room;
};

/* DM_INVALID, with the path and the line of the row that was read last. */
static enum dm_status row_error(const struct reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static enum dm_status row_error(const struct reader *reader, const char *format, ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return dm_fail(DM_INVALID, "%s:%zu: %s", reader->path, reader->csv.line, sentence);
}

/* ---- the header ---- */

static bool is_in(const char *name, const char *const *names)
{
    static const char further[] = "objective:"; /* of a log */

    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return strncmp(name, further, strlen(further)) == 0;
}

static enum dm_status add_parameter(struct reader *reader, size_t column)
{
    const char *name = reader->csv.cells[column];

    if (!*name || strlen(name) >= TUNER_NAME_BYTES)
        return dm_fail(DM_INVALID, "%s: the name of column %zu has %s characters", reader->path,
                       column + 1, *name ? "too many" : "no");
    if (reader->parameters == TUNER_PARAMETERS_MAX)
        return dm_fail(DM_INVALID, "%s has more than %d columns of parameters: leave some out",
                       reader->path, TUNER_PARAMETERS_MAX);
    reader->names[reader->parameters] = name;
    reader->column_of[reader->parameters++] = column;
    return DM_OK;
}

static enum dm_status add_parameters(struct reader *reader, const char *const *ignored)
{
    const struct csv *csv = &reader->csv;

    for (size_t c = 0; c < csv->count; c++) {
        if (csv_find(csv, csv->cells[c]) != c)
            return dm_fail(DM_INVALID, "%s has two columns %s", reader->path, csv->cells[c]);
        if (c != reader->time && c != reader->filter && !is_in(csv->cells[c], ignored))
            TRY(add_parameter(reader, c));
    }
    if (reader->parameters == 0)
        return dm_fail(DM_INVALID, "%s has no column of a parameter", reader->path);
    return DM_OK;
}

static enum dm_status read_header(struct reader *reader, const char *const *ignored,
                                  const char *filter)
{
    struct csv *csv = &reader->csv;

    if (csv_next(csv) != CSV_ROW)
        return dm_fail(DM_INVALID, "%s has no header", reader->path);
    reader->columns = csv->count;
    reader->time = csv_find(csv, "time_s");
    if (reader->time == csv->count)
        return dm_fail(DM_INVALID, "%s has no column time_s", reader->path);
    reader->filter = filter ? csv_find(csv, filter) : csv->count;
    if (filter && reader->filter == csv->count)
        return dm_fail(DM_INVALID, "%s has no column %s", reader->path, filter);
    return add_parameters(reader, ignored);
}

/* ---- rows ---- */

static enum dm_status make_room(struct reader *reader)
{
    if (reader->rows < reader->room)
        return DM_OK;
    size_t room = reader->room ? 2 * reader->room : FIRST_ROWS;
    size_t row_bytes = reader->parameters * sizeof *reader->cells;
    double *times = realloc(reader->times, room * sizeof *times);
    if (!times)
        return error_no_memory(room * sizeof *times);
    reader->times = times;
    const char **cells = realloc(reader->cells, room * row_bytes);
    if (!cells)
        return error_no_memory(room * row_bytes);
    reader->cells = cells;
    reader->room = room;
    return DM_OK;
}

static enum dm_status read_time(const struct reader *reader, double *time_s)
{
    const char *cell = reader->csv.cells[reader->time];

    *time_s = NAN;
    if (!*cell || strcasecmp(cell, "nan") == 0)
        return DM_OK;
    if (!csv_number(cell, time_s))
        return row_error(reader, "the time %s is not a number", cell);
    if (*time_s <= 0.0)
        return row_error(reader, "the time %s is not above 0", cell);
    return DM_OK;
}

static enum dm_status add_row(struct reader *reader)
{
    const struct csv *csv = &reader->csv;
    double time_s;

    if (csv->count != reader->columns)
        return row_error(reader, "%zu cells, the header has %zu", csv->count, reader->columns);
    if (reader->filter < reader->columns &&
        strcmp(csv->cells[reader->filter], reader->filter_value) != 0)
        return DM_OK;
    TRY(read_time(reader, &time_s));
    if (reader->rows == ROWS_MAX)
        return dm_fail(DM_INVALID, "%s has more than %d rows", reader->path, ROWS_MAX);
    TRY(make_room(reader));
    for (size_t p = 0; p < reader->parameters; p++) {
        const char *cell = csv->cells[reader->column_of[p]];
        if (!*cell)
            return row_error(reader, "the parameter %s has no value", reader->names[p]);
        reader->cells[reader->rows * reader->parameters + p] = cell;
    }
    reader->times[reader->rows++] = time_s;
    return DM_OK;
}

static enum dm_status read_rows(struct reader *reader)
{
    enum csv_row row;

    while ((row = csv_next(&reader->csv)) == CSV_ROW)
        TRY(add_row(reader));
    if (row == CSV_CUT)
        return row_error(reader, "the last line is cut off");
    if (row == CSV_BROKEN)
        return row_error(reader, "quotes at a wrong place, or more than %d cells", CSV_CELLS_MAX);
    if (reader->rows == 0)
        return dm_fail(DM_INVALID, "%s has no rows%s%s", reader->path,
                       reader->filter_value ? " with the value " : "",
                       reader->filter_value ? reader->filter_value : "");
    return DM_OK;
}

/* ---- the space ---- */

static enum dm_status make_space(struct tuner_space **space, const struct reader *reader,
                                 struct replay_columns *columns)
{
    size_t cells = reader->rows * reader->parameters;

    TRY(replay_columns_make(columns, reader->names, reader->parameters, reader->cells,
                            reader->rows));
    int64_t *values = allocate(cells, sizeof *values);
    if (!values)
        return DM_NO_MEMORY;
    for (size_t i = 0; i < cells; i++)
        values[i] = columns->parameters[i % reader->parameters].values[columns->indices[i]];
    enum dm_status status =
        tuner_space_of_rows(space, columns->parameters, reader->parameters, values, reader->rows);
    free(values);
    return status;
}

static enum dm_status set_times(struct tuner_replay *replay, const struct reader *reader,
                                const struct replay_columns *columns)
{
    replay->times = allocate(reader->rows, sizeof *replay->times);
    if (!replay->times)
        return DM_NO_MEMORY;
    replay->best_s = INFINITY;
    for (size_t row = 0; row < reader->rows; row++) {
        size_t indices[TUNER_PARAMETERS_MAX], configuration = 0;
        for (size_t p = 0; p < reader->parameters; p++)
            indices[p] = columns->indices[row * reader->parameters + p];
        tuner_space_find(replay->space, indices, &configuration); /* it was made of all rows */
        replay->times[configuration] = reader->times[row];
        replay->valid += !isnan(reader->times[row]);
        replay->best_s = fmin(replay->best_s, reader->times[row]);
    }
    return replay->valid ? DM_OK : dm_fail(DM_INVALID, "no row has a time");
}

static enum dm_status fill(struct tuner_replay *replay, const struct reader *reader)
{
    struct replay_columns columns = {0};
    enum dm_status status = make_space(&replay->space, reader, &columns);

    if (status == DM_OK)
        status = set_times(replay, reader, &columns);
    replay_columns_release(&columns);
    return status == DM_OK ? DM_OK : error_within(status, "%s", reader->path);
}

/* ---- tuner.h ---- */

static enum dm_status make_replay(struct tuner_replay **replay, struct reader *reader)
{
    struct tuner_replay *made = allocate(1, sizeof *made);
    if (!made)
        return DM_NO_MEMORY;
    enum dm_status status = fill(made, reader);
    if (status == DM_OK)
        *replay = made;
    else
        tuner_replay_free(made);
    return status;
}

enum dm_status tuner_replay_load(struct tuner_replay **replay, const char *path,
                                 const char *const *ignored, const char *filter_column,
                                 const char *filter_value)
{
    struct reader reader = {.path = path, .filter_value = filter_value};

    *replay = NULL;
    TRY(csv_load(&reader.csv, path));
    enum dm_status status = read_header(&reader, ignored, filter_column);
    if (status == DM_OK)
        status = read_rows(&reader);
    if (status == DM_OK)
        status = make_replay(replay, &reader);
    free(reader.cells);
    free(reader.times);
    csv_release(&reader.csv);
    return status;
}

void tuner_replay_free(struct tuner_replay *replay)
{
    if (!replay)
        return;
    tuner_space_free(replay->space);
    free(replay->times);
    free(replay);
}

const struct tuner_space *tuner_replay_space(const struct tuner_replay *replay)
{
    return replay->space;
}

double tuner_replay_best_s(const struct tuner_replay *replay)
{
    return replay->best_s;
}

size_t tuner_replay_valid(const struct tuner_replay *replay)
{
    return replay->valid;
}

static enum dm_status look_up(void *context, size_t configuration, struct tuner_trial *trial)
{
    const struct tuner_replay *replay = context;

    trial->time_s = replay->times[configuration];
    if (isnan(trial->time_s))
        trial->outcome = TUNER_INVALID;
    else
        trial->cost_s = trial->time_s;
    return DM_OK;
}

struct tuner_objective tuner_replay_objective(struct tuner_replay *replay)
{
    return (struct tuner_objective){.measure = look_up, .context = replay};
}
