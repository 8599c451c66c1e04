/* Measured points as an oracle. */
#include "status.h"
#include "tuner_complain.h"
#include "tuner_csv.h"
#include "tuner_oracle.h"
#include "tuner_replay_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ROWS_MOST = 1000000, FIRST_ROWS = 1024 };

struct tuner_replay {
    struct tuner_space *space;
    double *times; /* of each configuration; NaN: invalid */
    size_t valid;
    double best_s;
};

/* What is known while a table is read. */
struct reader {
    struct tuner_csv csv;
    const char *path;
    const char **complaint;
    size_t columns;      /* cells of each row */
    size_t time, filter; /* columns; `columns`: there is no filter */
    const char *filter_value;
    size_t parameters;
    size_t column_of[TUNER_PARAMETERS];
    const char *names[TUNER_PARAMETERS];
    const char **cells; /* rows x parameters, row by row */
    double *times;      /* of each row */
    size_t rows, room;
};

/* ---- the header ---- */

static bool is_in(const char *name, const char *const *names)
{
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

static bool add_parameter(struct reader *reader, size_t column)
{
    const char *name = reader->csv.cells[column];

    if (!*name || strlen(name) >= TUNER_NAME)
        tuner_complain(reader->complaint, "%s: the name of column %zu has %s characters",
                       reader->path, column + 1, *name ? "too many" : "no");
    else if (reader->parameters == TUNER_PARAMETERS)
        tuner_complain(reader->complaint,
                       "%s has more than %d columns of parameters: leave some out", reader->path,
                       TUNER_PARAMETERS);
    else {
        reader->names[reader->parameters] = name;
        reader->column_of[reader->parameters++] = column;
        return true;
    }
    return false;
}

static bool read_header(struct reader *reader, const char *const *ignored, const char *filter)
{
    struct tuner_csv *csv = &reader->csv;

    if (tuner_csv_next(csv) != TUNER_CSV_ROW)
        return tuner_complain(reader->complaint, "%s has no header", reader->path);
    reader->columns = csv->count;
    reader->time = tuner_csv_find(csv, "time_s");
    if (reader->time == csv->count)
        return tuner_complain(reader->complaint, "%s has no column time_s", reader->path);
    reader->filter = filter ? tuner_csv_find(csv, filter) : csv->count;
    if (filter && reader->filter == csv->count)
        return tuner_complain(reader->complaint, "%s has no column %s", reader->path, filter);
    for (size_t c = 0; c < csv->count; c++) {
        if (tuner_csv_find(csv, csv->cells[c]) != c)
            return tuner_complain(reader->complaint, "%s has two columns %s", reader->path,
                                  csv->cells[c]);
        if (c != reader->time && c != reader->filter && !is_in(csv->cells[c], ignored) &&
            !add_parameter(reader, c))
            return false;
    }
    if (reader->parameters == 0)
        return tuner_complain(reader->complaint, "%s has no column of a parameter", reader->path);
    return true;
}

/* ---- rows ---- */

static void make_room(struct reader *reader)
{
    if (reader->rows < reader->room)
        return;
    reader->room = reader->room ? 2 * reader->room : FIRST_ROWS;
    reader->times = realloc(reader->times, reader->room * sizeof *reader->times);
    reader->cells =
        realloc(reader->cells, reader->room * reader->parameters * sizeof *reader->cells);
    check_errno(reader->times && reader->cells);
}

static bool read_time(struct reader *reader, double *time_s)
{
    const char *cell = reader->csv.cells[reader->time];

    *time_s = NAN;
    if (!*cell || strcasecmp(cell, "nan") == 0)
        return true;
    if (!tuner_csv_number(cell, time_s))
        return tuner_complain(reader->complaint, "%s:%zu: the time %s is no number", reader->path,
                              reader->csv.line, cell);
    if (*time_s <= 0.0)
        return tuner_complain(reader->complaint, "%s:%zu: the time %s is not above 0", reader->path,
                              reader->csv.line, cell);
    return true;
}

static bool add_row(struct reader *reader)
{
    struct tuner_csv *csv = &reader->csv;
    double time_s;

    if (csv->count != reader->columns)
        return tuner_complain(reader->complaint, "%s:%zu: %zu cells, the header has %zu",
                              reader->path, csv->line, csv->count, reader->columns);
    if (reader->filter < reader->columns &&
        strcmp(csv->cells[reader->filter], reader->filter_value) != 0)
        return true;
    if (!read_time(reader, &time_s))
        return false;
    if (reader->rows == ROWS_MOST)
        return tuner_complain(reader->complaint, "%s has more than %d rows", reader->path,
                              ROWS_MOST);
    make_room(reader);
    for (size_t p = 0; p < reader->parameters; p++) {
        const char *cell = csv->cells[reader->column_of[p]];
        if (!*cell)
            return tuner_complain(reader->complaint, "%s:%zu: the parameter %s has no value",
                                  reader->path, csv->line, reader->names[p]);
        reader->cells[reader->rows * reader->parameters + p] = cell;
    }
    reader->times[reader->rows++] = time_s;
    return true;
}

static bool read_rows(struct reader *reader)
{
    enum tuner_csv_row row;

    while ((row = tuner_csv_next(&reader->csv)) == TUNER_CSV_ROW)
        if (!add_row(reader))
            return false;
    if (row == TUNER_CSV_CUT)
        return tuner_complain(reader->complaint, "%s:%zu: the last line is cut off", reader->path,
                              reader->csv.line);
    if (row == TUNER_CSV_BROKEN)
        return tuner_complain(reader->complaint,
                              "%s:%zu: quotes at a wrong place, or more than %d cells",
                              reader->path, reader->csv.line, TUNER_CSV_CELLS);
    if (reader->rows == 0)
        return tuner_complain(reader->complaint, "%s has no rows%s%s", reader->path,
                              reader->filter_value ? " with the value " : "",
                              reader->filter_value ? reader->filter_value : "");
    return true;
}

/* ---- the space ---- */

static struct tuner_space *make_space(struct reader *reader, struct tuner_replay_columns *columns)
{
    int64_t *values = allocate_or_fail(reader->rows * reader->parameters, sizeof *values);
    struct tuner_space *space = NULL;
    const char *why = NULL;

    if (tuner_replay_columns_make(columns, reader->names, reader->parameters, reader->cells,
                                  reader->rows, &why)) {
        for (size_t i = 0; i < reader->rows * reader->parameters; i++)
            values[i] = columns->parameters[i % reader->parameters].values[columns->indices[i]];
        space = tuner_space_of_rows(columns->parameters, reader->parameters, values, reader->rows,
                                    &why);
    }
    if (!space)
        tuner_complain(reader->complaint, "%s: %s", reader->path, why);
    free(values);
    return space;
}

static void set_times(struct tuner_replay *replay, const struct reader *reader,
                      const struct tuner_replay_columns *columns)
{
    replay->times = allocate_or_fail(reader->rows, sizeof *replay->times);
    replay->best_s = INFINITY;
    for (size_t row = 0; row < reader->rows; row++) {
        size_t indices[TUNER_PARAMETERS], configuration;
        for (size_t p = 0; p < reader->parameters; p++)
            indices[p] = columns->indices[row * reader->parameters + p];
        if (!tuner_space_find(replay->space, indices, &configuration))
            fail("%s: a row is not in the space that was made of all rows", reader->path);
        replay->times[configuration] = reader->times[row];
        replay->valid += !isnan(reader->times[row]);
        replay->best_s = fmin(replay->best_s, reader->times[row]);
    }
}

static struct tuner_replay *make_replay(struct reader *reader)
{
    struct tuner_replay_columns columns = {0};
    struct tuner_space *space = make_space(reader, &columns);
    struct tuner_replay *replay = NULL;

    if (space) {
        replay = allocate_or_fail(1, sizeof *replay);
        replay->space = space;
        set_times(replay, reader, &columns);
    }
    tuner_replay_columns_release(&columns);
    if (!replay || replay->valid)
        return replay;
    tuner_replay_free(replay);
    return tuner_complain(reader->complaint, "%s has no row with a time", reader->path);
}

/* ---- tuner_oracle.h ---- */

struct tuner_replay *tuner_replay_load(const char *path, const char *const *ignored,
                                       const char *filter_column, const char *filter_value,
                                       const char **complaint)
{
    struct reader reader = {.path = path, .complaint = complaint, .filter_value = filter_value};
    struct tuner_replay *replay = NULL;

    if (!tuner_csv_load(&reader.csv, path, complaint))
        return NULL;
    if (read_header(&reader, ignored, filter_column) && read_rows(&reader))
        replay = make_replay(&reader);
    free(reader.cells);
    free(reader.times);
    tuner_csv_release(&reader.csv);
    return replay;
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

static struct tuner_trial look_up(void *context, size_t configuration)
{
    const struct tuner_replay *replay = context;
    double time_s = replay->times[configuration];

    if (isnan(time_s))
        return (struct tuner_trial){.outcome = TUNER_INVALID, .time_s = NAN};
    return (struct tuner_trial){.outcome = TUNER_OK, .time_s = time_s, .cost_s = time_s};
}

struct tuner_oracle tuner_replay_oracle(struct tuner_replay *replay)
{
    return (struct tuner_oracle){.measure = look_up, .context = replay};
}
