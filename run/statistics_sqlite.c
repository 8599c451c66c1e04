/* statistics_sqlite.c: the statistics of common/ as SQL aggregates, as a loadable extension of
 * SQLite and, with SQLITE_CORE, inside the tools of run/.
 *
 * median(x), interval_low(x), interval_high(x): median with its 95 % order-statistic interval.
 * spearman(x, y), line_slope(x, y), line_intercept(x, y), line_r2(x, y).
 * Rows with a NULL, or with text, are skipped; the result is NULL where it is not defined. */
#include <math.h>
#include <sqlite3ext.h>
#include <string.h>

#include "common/statistics.h"
SQLITE_EXTENSION_INIT1

/* The values that an aggregate has seen; kept by SQLite, zero at first. */
struct samples {
    double *x;
    double *y; /* NULL for an aggregate of one argument */
    size_t count;
    size_t capacity;
};

enum aggregate { MEDIAN, INTERVAL_LOW, INTERVAL_HIGH, SPEARMAN, SLOPE, INTERCEPT, R2 };

static int is_number(sqlite3_value *value)
{
    int type = sqlite3_value_type(value);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static int grow(struct samples *samples, int arguments)
{
    size_t capacity = samples->capacity ? 2 * samples->capacity : 64;
    double *x = sqlite3_realloc64(samples->x, capacity * sizeof *x);
    if (!x)
        return 0;
    samples->x = x;
    if (arguments == 2) {
        double *y = sqlite3_realloc64(samples->y, capacity * sizeof *y);
        if (!y)
            return 0;
        samples->y = y;
    }
    samples->capacity = capacity;
    return 1;
}

static void step(sqlite3_context *context, int arguments, sqlite3_value **values)
{
    for (int i = 0; i < arguments; i++)
        if (!is_number(values[i]))
            return;
    struct samples *samples = sqlite3_aggregate_context(context, sizeof *samples);
    if (!samples || (samples->count == samples->capacity && !grow(samples, arguments))) {
        sqlite3_result_error_nomem(context);
        return;
    }
    samples->x[samples->count] = sqlite3_value_double(values[0]);
    if (arguments == 2)
        samples->y[samples->count] = sqlite3_value_double(values[1]);
    samples->count++;
}

static double result_of(enum aggregate aggregate, struct samples *samples)
{
    switch (aggregate) {
    case SPEARMAN:
        return statistics_spearman(samples->x, samples->y, samples->count);
    case SLOPE:
        return statistics_line(samples->x, samples->y, samples->count).slope;
    case INTERCEPT:
        return statistics_line(samples->x, samples->y, samples->count).intercept;
    case R2:
        return statistics_line(samples->x, samples->y, samples->count).r2;
    default:
        statistics_sort(samples->x, samples->count);
        struct interval interval = statistics_median(samples->x, samples->count);
        return aggregate == MEDIAN         ? interval.median
               : aggregate == INTERVAL_LOW ? interval.low
                                           : interval.high;
    }
}

static void finish(sqlite3_context *context)
{
    struct samples *samples = sqlite3_aggregate_context(context, 0);
    if (!samples || samples->count == 0)
        return;
    const enum aggregate *aggregate = sqlite3_user_data(context);
    sqlite3_result_double(context, result_of(*aggregate, samples)); /* SQLite turns NaN into NULL */
    sqlite3_free(samples->x);
    sqlite3_free(samples->y);
    memset(samples, 0, sizeof *samples);
}

int sqlite3_statistics_init(sqlite3 *database, char **message, const sqlite3_api_routines *api);

int sqlite3_statistics_init(sqlite3 *database, char **message, const sqlite3_api_routines *api)
{
    static const struct {
        const char *name;
        int arguments;
        enum aggregate aggregate;
    } aggregates[] = {
        {"median", 1, MEDIAN},
        {"interval_low", 1, INTERVAL_LOW},
        {"interval_high", 1, INTERVAL_HIGH},
        {"spearman", 2, SPEARMAN},
        {"line_slope", 2, SLOPE},
        {"line_intercept", 2, INTERCEPT},
        {"line_r2", 2, R2},
    };
    (void)message;
    (void)api;
    SQLITE_EXTENSION_INIT2(api);
    for (size_t i = 0; i < sizeof aggregates / sizeof *aggregates; i++) {
        int code =
            sqlite3_create_function_v2(database, aggregates[i].name, aggregates[i].arguments,
                                       SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                       (void *)&aggregates[i].aggregate, NULL, step, finish, NULL);
        if (code != SQLITE_OK)
            return code;
    }
    return SQLITE_OK;
}
