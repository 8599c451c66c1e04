/* copies_rows.c: the rows of partition_copies. */
#include "copies_rows.h"

#include "partition/intervals.h"

enum { HOST = -1, NONE = -1 };

struct row {
    const char *example;
    int devices;
    const char *mode, *kind;
    int launch, part, from, to;
    int64_t interval, begin, end_element, foreign_reads, stale_reads;
};
const struct column copies_columns[] = {
    {"case", COLUMN_PARAMETER, "the example", COLUMN_TEXT, offsetof(struct row, example)},
    PARAMETER(struct row, devices, "devices"),
    PARAMETER(struct row, mode,
              "last-writer: what the launch before wrote; omega: what each device wrote last; "
              "none: no copies; -: access sets"),
    PARAMETER(struct row, kind,
              "read, write: elements of a part; owner: that a device wrote last; copy; copy-rows: "
              "the same in whole rows; stale: read though another device has a later value; "
              "gather: that a copy to the host would take; foreign: a count"),
    PARAMETER(struct row, launch, "number of the launch in the example, from 0"),
    PARAMETER(struct row, part, "the part or device that accesses, owns, reads"),
    PARAMETER(struct row, from, "device of the latest value; -1: not a copy"),
    PARAMETER(struct row, to, "device of the copy; -1: the host, or not a copy"),
    PARAMETER(struct row, interval, "number of the interval in its set; -1: a count"),
    METRIC(struct row, begin, "first element of the interval"),
    METRIC(struct row, end_element, "the element behind the interval"),
    METRIC(struct row, foreign_reads, "elements read that another device wrote last"),
    METRIC(struct row, stale_reads, "of these the ones that are not copied"),
    {0},
};

/* The rows of one repetition. */
struct rows {
    struct run *run;
    const struct copies_task *task;
    const char *variant;
    int repetition;
    double time_s;
    long errors;
};

/* Who accesses, and from where to where is copied. */
struct place {
    int part, from, to;
};

static struct row row_of(const struct rows *rows, const char *kind, int launch, struct place place)
{
    const struct copies_task *task = rows->task;
    return (struct row){.example = task->example->name,
                        .devices = task->example->devices,
                        .mode = task->mode == COPIES_MODES ? "-" : copies_mode_names[task->mode],
                        .kind = kind,
                        .launch = launch,
                        .part = place.part,
                        .from = place.from,
                        .to = place.to,
                        .interval = NONE,
                        .begin = NO_VALUE,
                        .end_element = NO_VALUE,
                        .foreign_reads = NO_VALUE,
                        .stale_reads = NO_VALUE};
}

static void record(const struct rows *rows, const struct row *row)
{
    record_row(rows->run, rows->variant, rows->repetition, row, rows->time_s, rows->errors);
}

/* The set in whole rows of `row` elements; 0: as it is. */
static struct partition_intervals in_rows(const struct partition_intervals *set, int64_t row)
{
    struct partition_intervals whole = {0};
    for (size_t i = 0; i < set->count; i++) {
        struct partition_range item = set->items[i];
        if (row > 0)
            item =
                (struct partition_range){item.begin / row * row, (item.end + row - 1) / row * row};
        check_status(partition_intervals_push(&whole, item.begin, item.end));
    }
    partition_intervals_normalise(&whole);
    return whole;
}

/* One row for each interval. */
static void record_set(const struct rows *rows, const char *kind, int launch, struct place place,
                       const struct partition_intervals *set, int64_t elements)
{
    struct partition_intervals whole = in_rows(set, elements);
    struct row row = row_of(rows, kind, launch, place);
    for (size_t i = 0; i < whole.count; i++) {
        row.interval = (int64_t)i;
        row.begin = whole.items[i].begin;
        row.end_element = whole.items[i].end;
        record(rows, &row);
    }
    partition_intervals_free(&whole);
}

static void record_sets(const struct rows *rows)
{
    const struct copies_case *example = rows->task->example;
    for (int l = 0; l < example->launch_count; l++)
        for (int d = 0; d < example->devices; d++) {
            struct place place = {d, NONE, NONE};
            record_set(rows, "read", l, place, &rows->task->sets->reads[l][d], 0);
            record_set(rows, "write", l, place, &rows->task->sets->writes[l][d], 0);
        }
}

static void record_pairs(const struct rows *rows, const struct copies_result *result)
{
    const struct copies_case *example = rows->task->example;
    int launch = example->launch_count - 1;
    for (int to = 0; to < example->devices; to++)
        for (int from = 0; from < example->devices; from++) {
            struct place place = {to, from, to};
            record_set(rows, "copy", launch, place, &result->copied[from][to], 0);
            record_set(rows, "stale", launch, place, &result->stale[from][to], 0);
            if (example->row > 0)
                record_set(rows, "copy-rows", launch, place, &result->copied[from][to],
                           example->row);
        }
}

static void record_counts(const struct rows *rows, const struct copies_result *result)
{
    const struct copies_case *example = rows->task->example;
    for (int d = 0; d < example->devices; d++) {
        struct row row =
            row_of(rows, "foreign", example->launch_count - 1, (struct place){d, NONE, NONE});
        row.foreign_reads = result->foreign_reads[d];
        row.stale_reads = 0;
        for (int from = 0; from < example->devices; from++)
            row.stale_reads += intervals_total(&result->stale[from][d]);
        record(rows, &row);
    }
}

/* Who has what before the last launch, and what a copy to the host would take then. */
static void record_owners(const struct rows *rows, const struct copies_result *result)
{
    const struct copies_task *task = rows->task;
    int before = task->example->launch_count - 2;
    for (int d = 0; d < task->example->devices; d++) {
        struct place place = {d, d, HOST};
        if (task->mode == COPIES_LAST_WRITER)
            record_set(rows, "gather", before, place, &task->sets->writes[before][d], 0);
        if (task->mode != COPIES_OMEGA)
            continue;
        record_set(rows, "gather", before, place, &result->owner[d], 0);
        record_set(rows, "owner", before, (struct place){d, NONE, NONE}, &result->owner[d], 0);
    }
}

static void record_mode(const struct rows *rows, const struct copies_result *result)
{
    record_pairs(rows, result);
    record_counts(rows, result);
    record_owners(rows, result);
}

void copies_rows_record(struct run *run, const struct copies_task *task,
                        const struct subject *subject)
{
    struct copies_result result = {0};
    struct rows rows = {.run = run, .task = task, .variant = subject->variant};
    if (task->mode != COPIES_MODES) {
        copies_result_compute(task->example, task->sets, task->mode, &result);
        if (run->settings.check)
            rows.errors = copies_count_errors(task->example, task->sets, task->mode, &result);
    }
    for (size_t i = 0; i < subject->count; i++) {
        rows.repetition = (int)i;
        rows.time_s = subject->times_s[i];
        if (task->mode == COPIES_MODES)
            record_sets(&rows);
        else
            record_mode(&rows, &result);
    }
    copies_result_free(&result);
}
