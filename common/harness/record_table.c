#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

#include "record_internal.h"
#include "version.h"

/* The table is made as text cells first, so that each column is as wide as it needs to be. */
struct table {
    size_t columns, rows; /* rows without the head */
    char (*cells)[48];    /* row 0 is the head */
};

static char *cell(struct table *table, size_t row, size_t column)
{
    return table->cells[row * table->columns + column];
}

static void set_cell(struct table *table, size_t row, size_t column, const char *content)
{
    snprintf(cell(table, row, column), sizeof table->cells[0], "%s", content);
}

/* 4 significant digits are more than most measurements have. */
static void set_number(struct table *table, size_t row, size_t column, double number)
{
    char buffer[48] = "";
    if (isfinite(number))
        snprintf(buffer, sizeof buffer, "%.4g", number);
    set_cell(table, row, column, buffer);
}

static double number_of(struct value value)
{
    return value.kind == VALUE_INTEGER ? (double)value.as.integer
           : value.kind == VALUE_REAL  ? value.as.real
                                       : NAN;
}

/* Finite values of a column (or of time_s, if column is -1) over the rows of a
 * configuration, in the order of measurement. */
static double *values_of(const struct recorder *recorder, const struct configuration *configuration,
                         long column, size_t *count)
{
    double *values = allocate_or_fail(configuration->count, sizeof *values);
    *count = 0;
    for (size_t i = 0; i < configuration->count; i++) {
        const struct row *row = &recorder->rows[configuration->rows[i]];
        double number = column < 0 ? row->time_s : number_of(row->values[column]);
        if (isfinite(number))
            values[(*count)++] = number;
    }
    return values;
}

static void fill_column(const struct recorder *recorder, struct table *table, size_t row,
                        const struct configuration *configuration, size_t column)
{
    const struct row *first = &recorder->rows[configuration->rows[0]];
    struct value value = first->values[column];
    bool metric = recorder->run->program->columns[column].kind == COLUMN_METRIC;
    if (metric && (value.kind == VALUE_REAL || value.kind == VALUE_INTEGER)) {
        size_t count;
        double *values = values_of(recorder, configuration, (long)column, &count);
        statistics_sort(values, count);
        double median = statistics_quantile(values, count, 0.5);
        free(values);
        if (value.kind == VALUE_REAL || median != floor(median)) {
            set_number(table, row, 1 + column, median);
            return;
        }
        value = integer((int64_t)median);
    }
    char buffer[64];
    set_cell(table, row, 1 + column, record_format(value, buffer, sizeof buffer));
}

static void fill_row(const struct recorder *recorder, struct table *table, size_t row,
                     const struct configuration *configuration)
{
    long errors = 0;
    for (size_t i = 0; i < configuration->count; i++)
        errors += recorder->rows[configuration->rows[i]].errors;
    set_cell(table, row, 0, recorder->rows[configuration->rows[0]].variant);
    for (size_t column = 0; column < recorder->column_count; column++)
        fill_column(recorder, table, row, configuration, column);
    size_t count;
    double *times = values_of(recorder, configuration, -1, &count);
    struct interval interval = statistics_interval(times, count);
    free(times);
    size_t after = 1 + recorder->column_count;
    set_number(table, row, after, interval.median);
    set_number(table, row, after + 1, interval.low);
    set_number(table, row, after + 2, interval.high);
    snprintf(cell(table, row, after + 3), sizeof table->cells[0], "%zu", configuration->count);
    snprintf(cell(table, row, after + 4), sizeof table->cells[0], "%ld", errors);
}

static void print_row(struct table *table, size_t row, const size_t *widths, FILE *out)
{
    for (size_t column = 0; column < table->columns; column++) {
        int width = (int)widths[column];
        fprintf(out, column == 0 ? "%-*s" : "  %*s", width, cell(table, row, column));
    }
    fputc('\n', out);
}

static void print_table(struct table *table, FILE *out)
{
    size_t *widths = allocate_or_fail(table->columns, sizeof *widths);
    for (size_t row = 0; row <= table->rows; row++)
        for (size_t column = 0; column < table->columns; column++) {
            size_t length = strlen(cell(table, row, column));
            widths[column] = length > widths[column] ? length : widths[column];
        }
    for (size_t row = 0; row <= table->rows; row++)
        print_row(table, row, widths, out);
    free(widths);
}

static void print_head(const struct recorder *recorder, FILE *out)
{
    const struct run *run = recorder->run;
    fprintf(out, "# %s %s (commit %s%s)\n# ", run->program->name, version_number, version_commit,
            version_dirty ? ", modified" : "");
    for (int i = 0; i < run->argc; i++)
        fprintf(out, "%s%s", run->argv[i], i + 1 < run->argc ? " " : "\n");
    fprintf(out, "# host %s, %d rank%s", recorder->host, ranks.count, ranks.count == 1 ? "" : "s");
    struct cudaDeviceProp properties;
    if (run->gpus && cudaGetDeviceProperties(&properties, run->settings.device) == cudaSuccess)
        fprintf(out, ", GPU %d: %s", run->settings.device, properties.name);
    fprintf(out, "\n# medians; low and high bound the median's 95 %% interval\n");
}

void record_write_table(const struct recorder *recorder, FILE *out)
{
    size_t count;
    struct configuration *configurations = record_configurations(recorder, &count);
    struct table table = {.columns = recorder->column_count + 6, .rows = count};
    table.cells = allocate_or_fail((count + 1) * table.columns, sizeof table.cells[0]);
    static const char *const tail[] = {"time_s", "low_s", "high_s", "n", "errors"};
    set_cell(&table, 0, 0, "variant");
    for (size_t i = 0; i < recorder->column_count; i++)
        set_cell(&table, 0, 1 + i, recorder->run->program->columns[i].name);
    for (size_t i = 0; i < 5; i++)
        set_cell(&table, 0, 1 + recorder->column_count + i, tail[i]);
    for (size_t i = 0; i < count; i++)
        fill_row(recorder, &table, i + 1, &configurations[i]);
    print_head(recorder, out);
    print_table(&table, out);
    free(table.cells);
    record_free_configurations(configurations, count);
}
