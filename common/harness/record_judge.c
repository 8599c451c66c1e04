#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

#include "record_internal.h"

/* COLUMN:VALUE:LOWER:UPPER, bounds as fractions of the value, as ReFrame writes its references. */
struct reference {
    char column[64];
    double value, lower, upper;
};

static double read_bound(const char *text, const char *whole, double open)
{
    if (*text == '\0')
        return open;
    char *end;
    double bound = strtod(text, &end);
    if (*end != '\0' || !isfinite(bound))
        fail("--reference %s: %s is not a number; write COLUMN:VALUE:LOWER:UPPER", whole, text);
    return bound;
}

static struct reference read_reference(const char *text)
{
    char parts[4][64] = {"", "", "", ""};
    const char *at = text;
    for (int i = 0; i < 4; i++) {
        size_t length = strcspn(at, ":");
        if (length >= sizeof parts[i] || (i < 3 && at[length] != ':') ||
            (i == 3 && at[length] != '\0'))
            fail("--reference %s: write COLUMN:VALUE:LOWER:UPPER, for example "
                 "bandwidth_gbs:55:-0.1:",
                 text);
        memcpy(parts[i], at, length);
        at += length + 1;
    }
    struct reference reference;
    strcpy(reference.column, parts[0]);
    reference.value = read_bound(parts[1], text, NAN);
    if (isnan(reference.value))
        fail("--reference %s has no value; write COLUMN:VALUE:LOWER:UPPER", text);
    reference.lower = read_bound(parts[2], text, -INFINITY);
    reference.upper = read_bound(parts[3], text, INFINITY);
    return reference;
}

/* The place of the column among the program's; their number stands for time_s. */
static size_t place_of(const struct recorder *recorder, const char *column)
{
    const struct column *columns = recorder->run->program->columns;

    for (size_t i = 0; i < recorder->column_count; i++)
        if (strcmp(columns[i].name, column) == 0)
            return i;
    if (strcmp(column, "time_s") != 0)
        fail("--reference: %s has no column %s; -h lists the columns", recorder->run->program->name,
             column);
    return recorder->column_count;
}

void record_check_reference(const struct recorder *recorder)
{
    if (recorder->run->settings.reference)
        place_of(recorder, read_reference(recorder->run->settings.reference).column);
}

static double cell_number(const struct recorder *recorder, const struct row *row, size_t place)
{
    if (place == recorder->column_count)
        return row->time_s;
    struct value value = row->values[place];
    return value.kind == VALUE_INTEGER ? (double)value.as.integer
           : value.kind == VALUE_REAL  ? value.as.real
                                       : NAN;
}

enum exit_code record_judge(const struct recorder *recorder, char *reason, size_t bytes)
{
    struct reference reference = read_reference(recorder->run->settings.reference);
    double *values = allocate_or_fail(recorder->row_count, sizeof *values);
    size_t count = 0, place = place_of(recorder, reference.column);
    for (size_t i = 0; i < recorder->row_count; i++) {
        const struct row *row = &recorder->rows[i];
        double number = row->waived ? NAN : cell_number(recorder, row, place);
        if (isfinite(number))
            values[count++] = number;
    }
    statistics_sort(values, count);
    double median = statistics_quantile(values, count, 0.5);
    free(values);
    double size = fabs(reference.value);
    double low = reference.value + reference.lower * size;
    double high = reference.value + reference.upper * size;
    bool inside = median >= low && median <= high;
    snprintf(reason, bytes, "median %s %.6g is %s the reference %.6g (from %.6g to %.6g)",
             reference.column, median, inside ? "within" : "outside", reference.value, low, high);
    return inside ? EXIT_PASS : EXIT_OUT_OF_REFERENCE;
}
