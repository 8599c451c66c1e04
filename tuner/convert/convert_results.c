/* Results: rows of a log or table, and those of T4. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/tuner.h>

#include "common/error.h"

#include "convert.h"
#include "tuner/csv.h"

/* Our outcomes and T4's; it knows more reasons than we keep. The first of each is written. */
static const struct {
    enum tuner_outcome outcome;
    const char *invalidity;
} reasons[] = {{TUNER_OK, "correct"},         {TUNER_INVALID, "constraints"},
               {TUNER_FAILED, "runtime"},     {TUNER_FAILED, "compile"},
               {TUNER_FAILED, "correctness"}, {TUNER_HANGING, "timeout"}};
enum { REASONS = sizeof reasons / sizeof *reasons };

/* ---- to T4 ---- */

struct table {
    struct csv csv;
    size_t columns, time, outcome, cost; /* outcome and cost: `columns` if there is none */
    char *names[CSV_CELLS_MAX];
    bool parameter[CSV_CELLS_MAX];
};

static json_t *json_of_cell(const char *cell)
{
    double number;
    char *end;

    long long whole = strtoll(cell, &end, 10);
    if (*cell && !*end)
        return json_integer(whole);
    return csv_number(cell, &number) ? json_real(number) : json_string(cell);
}

static const char *invalidity_of(const struct table *table, bool timed)
{
    const char *outcome = table->outcome < table->columns ? table->csv.cells[table->outcome] : "";

    for (int i = 0; i < REASONS; i++)
        if (strcmp(tuner_outcome_name(reasons[i].outcome), outcome) == 0)
            return reasons[i].invalidity;
    return timed ? "correct" : "constraints";
}

static json_t *json_of_row(const struct table *table)
{
    char *const *cells = table->csv.cells;
    double time_s = 0.0, cost_s = 0.0;
    bool timed = csv_number(cells[table->time], &time_s);
    json_t *configuration = json_object(), *measurements = json_array();

    for (size_t i = 0; i < table->columns; i++)
        if (table->parameter[i])
            json_object_set_new(configuration, table->names[i], json_of_cell(cells[i]));
    if (timed)
        json_array_append_new(measurements, json_pack("{s:s, s:f, s:s}", "name", "time", "value",
                                                      1e3 * time_s, "unit", "ms"));
    if (table->cost < table->columns)
        csv_number(cells[table->cost], &cost_s);
    const char *invalidity = invalidity_of(table, timed);
    json_t *runtimes = timed ? json_pack("[f]", 1e3 * time_s) : json_array();
    return json_pack("{s:o, s:{s:o, s:f}, s:s, s:i, s:[s], s:o}", "configuration", configuration,
                     "times", "runtimes", runtimes, "benchmark", 1e3 * cost_s, "invalidity",
                     invalidity, "correctness", strcmp(invalidity, "correct") == 0, "objectives",
                     "time", "measurements", measurements);
}

static enum dm_status read_header(struct table *table, const char *path)
{
    const char *const *ignored = tuner_log_ignored();
    struct csv *csv = &table->csv;

    if (csv_next(csv) != CSV_ROW || csv_find(csv, "time_s") == csv->count)
        return dm_fail(DM_INVALID, "%s: no column time_s", path);
    table->columns = csv->count;
    table->time = csv_find(csv, "time_s");
    table->outcome = csv_find(csv, "outcome");
    table->cost = csv_find(csv, "cost_s");
    for (size_t i = 0; i < csv->count; i++) {
        table->names[i] = csv->cells[i];
        table->parameter[i] = i != table->time;
        for (const char *const *name = ignored; *name; name++)
            if (strcmp(*name, csv->cells[i]) == 0)
                table->parameter[i] = false;
        if (strncmp(csv->cells[i], "objective:", strlen("objective:")) == 0)
            table->parameter[i] = false;
    }
    return DM_OK;
}

static enum dm_status read_rows(struct table *table, json_t *results, const char *path)
{
    enum csv_row row;

    while ((row = csv_next(&table->csv)) == CSV_ROW) {
        if (table->csv.count != table->columns)
            return dm_fail(DM_INVALID, "%s:%zu: %zu cells, where the header has %zu", path,
                           table->csv.line, table->csv.count, table->columns);
        json_array_append_new(results, json_of_row(table));
    }
    if (row != CSV_END)
        return dm_fail(DM_INVALID, "%s:%zu: the row is cut off or has broken quotes", path,
                       table->csv.line);
    return DM_OK;
}

enum dm_status convert_results_to_json(json_t **json, const char *path)
{
    struct table *table = calloc(1, sizeof *table);
    json_t *results = json_array();

    *json = NULL;
    if (!table || !results)
        return error_no_memory(sizeof *table);
    enum dm_status status = csv_load(&table->csv, path);
    if (status == DM_OK) {
        status = read_header(table, path);
        if (status == DM_OK)
            status = read_rows(table, results, path);
        csv_release(&table->csv);
    }
    free(table);
    *json = json_pack("{s:s, s:o, s:{s:s}}", "schema_version", "1.0.0", "results", results,
                      "metadata", "timeunit", "milliseconds");
    if (status != DM_OK) {
        json_decref(*json);
        *json = NULL;
    }
    return status;
}

/* ---- from T4 ---- */

static double unit_s(const char *unit)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1.0},   {"seconds", 1.0},       {"ms", 1e-3}, {"milliseconds", 1e-3},
                 {"us", 1e-6}, {"microseconds", 1e-6}, {"ns", 1e-9}, {"nanoseconds", 1e-9}};

    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, unit) == 0)
            return units[i].seconds;
    return 0.0;
}

/* The mean of the runtimes, in the file's unit (default ms); 0: there are none. */
static double mean_runtime_s(const json_t *result, double file_unit_s)
{
    const json_t *runtimes = json_object_get(json_object_get(result, "times"), "runtimes"), *each;
    double sum = 0.0;
    size_t i;

    json_array_foreach(runtimes, i, each) sum += json_number_value(each);
    return i > 0 ? sum / (double)i * file_unit_s : 0.0;
}

/* The measurement of the first objective if that is a time, else the runtimes. */
static double time_of(const json_t *result, double file_unit_s)
{
    const char *objective =
        json_string_value(json_array_get(json_object_get(result, "objectives"), 0));
    const json_t *each;
    size_t i;

    json_array_foreach(json_object_get(result, "measurements"), i, each)
    {
        const char *name = json_string_value(json_object_get(each, "name"));
        const json_t *value = json_object_get(each, "value");
        double unit = unit_s(json_string_value(json_object_get(each, "unit")));
        if (name && strcmp(name, objective ? objective : "time") == 0 && json_is_number(value) &&
            unit > 0.0)
            return json_number_value(value) * unit;
    }
    return mean_runtime_s(result, file_unit_s);
}

static enum dm_status write_cell(FILE *out, const json_t *value, char before)
{
    char number[32] = "";

    if (json_is_string(value)) {
        csv_write(out, json_string_value(value), before);
        return DM_OK;
    }
    if (json_is_boolean(value))
        snprintf(number, sizeof number, "%d", json_is_true(value));
    else if (json_is_integer(value))
        snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(number, sizeof number, "%.12g", json_real_value(value));
    else if (!json_is_null(value))
        return dm_fail(DM_INVALID, "a value of a configuration is neither a number nor a text");
    csv_write(out, number, before);
    return DM_OK;
}

/* A parameter that only matters under a condition may be missing where it does not: what stands
 * there is its first value, so that all rows have all columns. */
static json_t *collect_parameters(const json_t *results)
{
    json_t *first = json_object();
    const json_t *each;
    const char *key;
    json_t *value;
    size_t i;

    json_array_foreach(results, i, each)
        json_object_foreach(json_object_get((json_t *)each, "configuration"), key,
                            value) if (!json_is_null(value) && !json_object_get(first, key))
            json_object_set(first, key, value);
    return first;
}

static enum dm_status write_result(FILE *out, const json_t *result, json_t *parameters,
                                   double file_unit_s, const char *oracle)
{
    const json_t *configuration = json_object_get(result, "configuration");
    const char *invalidity = json_string_value(json_object_get(result, "invalidity")), *key;
    double time_s = time_of(result, file_unit_s);
    char before = 0;
    json_t *value;
    int reason = 0;

    if (!json_is_object(configuration) || !invalidity)
        return dm_fail(DM_INVALID, "a result has no \"configuration\" or no \"invalidity\"");
    while (reason < REASONS && strcmp(reasons[reason].invalidity, invalidity) != 0)
        reason++;
    if (reason == REASONS)
        return dm_fail(DM_INVALID, "unknown invalidity \"%.40s\"", invalidity);
    enum tuner_outcome outcome = reasons[reason].outcome;
    if (outcome == TUNER_OK && !(time_s > 0.0 && isfinite(time_s)))
        return dm_fail(DM_INVALID, "a correct result has no time above 0");
    json_object_foreach(parameters, key, value)
    {
        const json_t *own = json_object_get(configuration, key);
        TRY(write_cell(out, own && !json_is_null(own) ? own : value, before));
        before = ',';
    }
    fprintf(out, ",%s,", tuner_outcome_name(outcome));
    if (outcome == TUNER_OK)
        fprintf(out, "%.17g,0", time_s);
    else
        fputc(',', out);
    fputs(",0,0,T4", out);
    csv_write(out, oracle, ',');
    fputc('\n', out);
    return DM_OK;
}

enum dm_status convert_results_from_json(FILE *out, const json_t *json, const char *oracle)
{
    const json_t *results = json_object_get(json, "results"), *each;
    const char *unit =
        json_string_value(json_object_get(json_object_get(json, "metadata"), "timeunit"));
    double file_unit_s = unit_s(unit ? unit : "ms");
    enum dm_status status = DM_OK;
    const char *key;
    json_t *value;
    size_t i;

    if (!json_is_array(results) || json_array_size(results) == 0)
        return dm_fail(DM_INVALID, "\"results\" is missing or empty");
    if (file_unit_s == 0.0)
        return dm_fail(DM_INVALID, "unknown time unit \"%.40s\"", unit);
    json_t *parameters = collect_parameters(results);
    json_object_foreach(parameters, key, value)
    {
        csv_write(out, key, 0);
        fputc(',', out);
    }
    fputs("outcome,time_s,spread_s,cost_s,seed,strategy,oracle\n", out);
    json_array_foreach(results, i, each) if (status == DM_OK) status =
        write_result(out, each, parameters, file_unit_s, oracle);
    json_decref(parameters);
    return status;
}
