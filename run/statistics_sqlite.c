/* statistics_sqlite.c: the statistics of common/ as SQL aggregates, as a loadable extension of
 * SQLite and, with SQLITE_CORE, inside the tools of run/.
 *
 * median(x), interval_low(x), interval_high(x), n_effective(x): median with its 95 % interval, and
 * how many independent samples would say as much; halves_separate(x): 1 if the values of a start
 * drifted; starts_differ(x): 1 if the starts of the process differ. ratio(x, y), ratio_low(x, y),
 * ratio_high(x, y): the same for paired ratios x / y. All but median depend on the order in which
 * the values were measured: it is that of one more argument, a number such as rep, and without it
 * that in which the rows come. Orders in another multiple of STARTS_APART are of another start of
 * the process (collect numbers rep so). normal_tail(z): the probability that a standard normal
 * number is above z. spearman(x, y), line_slope(x, y), line_intercept(x, y), line_r2(x, y). Rows
 * with a NULL, or with text, are skipped; the result is NULL where it is not defined. */
#include <math.h>
#include <sqlite3ext.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/starts.h"
#include "rows.h"
SQLITE_EXTENSION_INIT1

/* The values that an aggregate has seen; kept by SQLite, zero at first. */
struct samples {
    struct sample {
        double x, y; /* y is 0 for an aggregate of one value */
        double order;
    } * rows;
    size_t count;
    size_t capacity;
};

enum kind {
    MEDIAN,
    INTERVAL_LOW,
    INTERVAL_HIGH,
    EFFECTIVE,
    HALVES,
    STARTS,
    RATIO,
    RATIO_LOW,
    RATIO_HIGH,
    SPEARMAN,
    SLOPE,
    INTERCEPT,
    R2
};

struct aggregate {
    const char *name;
    int values; /* arguments, without the order */
    bool ordered;
    enum kind kind;
};

static int is_number(sqlite3_value *value)
{
    int type = sqlite3_value_type(value);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static bool grow(struct samples *samples)
{
    size_t capacity = samples->capacity ? 2 * samples->capacity : 64;
    struct sample *rows = sqlite3_realloc64(samples->rows, capacity * sizeof *rows);
    if (!rows)
        return false;
    samples->rows = rows;
    samples->capacity = capacity;
    return true;
}

static void step(sqlite3_context *context, int arguments, sqlite3_value **values)
{
    for (int i = 0; i < arguments; i++)
        if (!is_number(values[i]))
            return;
    const struct aggregate *aggregate = sqlite3_user_data(context);
    struct samples *samples = sqlite3_aggregate_context(context, sizeof *samples);
    if (!samples || (samples->count == samples->capacity && !grow(samples))) {
        sqlite3_result_error_nomem(context);
        return;
    }
    struct sample *row = &samples->rows[samples->count];
    row->x = sqlite3_value_double(values[0]);
    row->y = aggregate->values == 2 ? sqlite3_value_double(values[1]) : 0.0;
    row->order = arguments > aggregate->values ? sqlite3_value_double(values[arguments - 1])
                                               : (double)samples->count;
    samples->count++;
}

static int compare_order(const void *a, const void *b)
{
    double x = ((const struct sample *)a)->order, y = ((const struct sample *)b)->order;
    return (x > y) - (x < y);
}

static double of_interval(enum kind kind, struct interval interval)
{
    switch (kind) {
    case INTERVAL_LOW:
    case RATIO_LOW:
        return interval.low;
    case INTERVAL_HIGH:
    case RATIO_HIGH:
        return interval.high;
    case EFFECTIVE:
        return interval.effective;
    default:
        return interval.median;
    }
}

/* How many samples of each start there are, in ascending order; NULL if there is no memory. */
static size_t *count_starts(const struct samples *samples, size_t *starts)
{
    size_t *counts = sqlite3_malloc64(samples->count * sizeof *counts);
    *starts = 0;
    for (size_t i = 0; counts && i < samples->count; i++) {
        const struct sample *row = &samples->rows[i];
        if (i == 0 || floor(row->order / STARTS_APART) != floor(row[-1].order / STARTS_APART))
            counts[(*starts)++] = 0;
        counts[*starts - 1]++;
    }
    return counts;
}

static int some_halves_separate(const double *x, const size_t *counts, size_t starts)
{
    int separate = 0;
    for (size_t start = 0; start < starts; start++) {
        separate |= statistics_halves_separate(x, counts[start]);
        x += counts[start];
    }
    return separate;
}

static double result_of(enum kind kind, double *x, const double *y, const size_t *counts,
                        size_t starts, size_t count)
{
    switch (kind) {
    case SPEARMAN:
        return statistics_spearman(x, y, count);
    case SLOPE:
        return statistics_line(x, y, count).slope;
    case INTERCEPT:
        return statistics_line(x, y, count).intercept;
    case R2:
        return statistics_line(x, y, count).r2;
    case HALVES:
        return some_halves_separate(x, counts, starts);
    case STARTS:
        return starts_differ(x, counts, starts);
    case MEDIAN:
        statistics_sort(x, count);
        return statistics_quantile(x, count, 0.5);
    case RATIO:
    case RATIO_LOW:
    case RATIO_HIGH:
        return of_interval(kind, starts_ratio(x, y, counts, starts));
    default:
        return of_interval(kind, starts_interval(x, counts, starts));
    }
}

static void finish(sqlite3_context *context)
{
    struct samples *samples = sqlite3_aggregate_context(context, 0);
    if (!samples || samples->count == 0)
        return;
    const struct aggregate *aggregate = sqlite3_user_data(context);
    size_t count = samples->count, starts;
    if (aggregate->ordered)
        qsort(samples->rows, count, sizeof *samples->rows, compare_order);
    size_t *counts = count_starts(samples, &starts);
    double *x = sqlite3_malloc64(2 * count * sizeof *x), *y = x ? x + count : NULL;
    for (size_t i = 0; x && i < count; i++) {
        x[i] = samples->rows[i].x;
        y[i] = samples->rows[i].y;
    }
    if (x && counts) /* SQLite turns NaN into NULL */
        sqlite3_result_double(context, result_of(aggregate->kind, x, y, counts, starts, count));
    else
        sqlite3_result_error_nomem(context);
    sqlite3_free(counts);
    sqlite3_free(x);
    sqlite3_free(samples->rows);
    memset(samples, 0, sizeof *samples);
}

static void normal_tail(sqlite3_context *context, int arguments, sqlite3_value **values)
{
    (void)arguments;
    if (is_number(values[0]))
        sqlite3_result_double(context, 0.5 * erfc(sqlite3_value_double(values[0]) / sqrt(2.0)));
}

/* parameter('size=8 app=lu', 'size'): the value that stands behind the name in a list; NULL where
 * it is not there. Values are texts: CAST those to compare as numbers. */
static void parameter(sqlite3_context *context, int arguments, sqlite3_value **values)
{
    (void)arguments;
    const char *list = (const char *)sqlite3_value_text(values[0]);
    const char *name = (const char *)sqlite3_value_text(values[1]);
    const size_t length = name ? strlen(name) : 0;
    for (const char *at = length ? list : NULL; at && *at; at += strspn(at, " ")) {
        const size_t word = strcspn(at, " ");
        if (word > length && at[length] == '=' && strncmp(at, name, length) == 0) {
            sqlite3_result_text(context, at + length + 1, (int)(word - length - 1),
                                SQLITE_TRANSIENT);
            return;
        }
        at += word;
    }
}

static int add(sqlite3 *database, const struct aggregate *aggregate, int arguments)
{
    return sqlite3_create_function_v2(database, aggregate->name, arguments,
                                      SQLITE_UTF8 | SQLITE_DETERMINISTIC, (void *)aggregate, NULL,
                                      step, finish, NULL);
}

int sqlite3_statistics_init(sqlite3 *database, char **message, const sqlite3_api_routines *api);

int sqlite3_statistics_init(sqlite3 *database, char **message, const sqlite3_api_routines *api)
{
    static const struct aggregate aggregates[] = {
        {"median", 1, false, MEDIAN},
        {"interval_low", 1, true, INTERVAL_LOW},
        {"interval_high", 1, true, INTERVAL_HIGH},
        {"n_effective", 1, true, EFFECTIVE},
        {"halves_separate", 1, true, HALVES},
        {"starts_differ", 1, true, STARTS},
        {"ratio", 2, true, RATIO},
        {"ratio_low", 2, true, RATIO_LOW},
        {"ratio_high", 2, true, RATIO_HIGH},
        {"spearman", 2, false, SPEARMAN},
        {"line_slope", 2, false, SLOPE},
        {"line_intercept", 2, false, INTERCEPT},
        {"line_r2", 2, false, R2},
    };
    (void)message;
    (void)api;
    SQLITE_EXTENSION_INIT2(api);
    int code =
        sqlite3_create_function_v2(database, "normal_tail", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                   NULL, normal_tail, NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code =
            sqlite3_create_function_v2(database, "parameter", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                       NULL, parameter, NULL, NULL, NULL);
    for (size_t i = 0; code == SQLITE_OK && i < sizeof aggregates / sizeof *aggregates; i++) {
        code = add(database, &aggregates[i], aggregates[i].values);
        if (code == SQLITE_OK && aggregates[i].ordered)
            code = add(database, &aggregates[i], aggregates[i].values + 1);
    }
    return code;
}
