#include "common/harness/exit.h"
#include "partition/intervals.h"

#include "copies_rows.h"

enum { HOST = -1, NONE = -1 };

const struct column copies_columns[] = {
    {"case", COLUMN_PARAMETER, "the example"},
    {"devices", COLUMN_PARAMETER, "devices"},
    {"mode", COLUMN_PARAMETER,
     "last-writer: what the launch before wrote; omega: what each device wrote last; none: no "
     "copies; -: access sets"},
    {"kind", COLUMN_PARAMETER,
     "read, write: elements of a part; owner: that a device wrote last; copy; copy-rows: the same "
     "in whole rows; stale: read though another device has a later value; gather: that a copy to "
     "the host would take; foreign: a count"},
    {"launch", COLUMN_PARAMETER, "number of the launch in the example, from 0"},
    {"part", COLUMN_PARAMETER, "the part or device that accesses, owns, reads"},
    {"from", COLUMN_PARAMETER, "device of the latest value; -1: not a copy"},
    {"to", COLUMN_PARAMETER, "device of the copy; -1: the host, or not a copy"},
    {"interval", COLUMN_PARAMETER, "number of the interval in its set; -1: a count"},
    {"begin", COLUMN_METRIC, "first element of the interval"},
    {"end_element", COLUMN_METRIC, "the element behind the interval"},
    {"foreign_reads", COLUMN_METRIC, "elements read that another device wrote last"},
    {"stale_reads", COLUMN_METRIC, "of these the ones that are not copied"},
    {0},
};

/* What the rows of one repetition have in common. */
struct rows {
    struct run *run;
    const struct copies_task *task;
    const char *variant;
    int repetition;
    double time_s;
    long errors;
};

static const char *mode_name(const struct copies_task *task)
{
    return task->mode == COPIES_MODES ? "-" : copies_mode_names[task->mode];
}

static void record(const struct rows *rows, const char *kind, int launch, const int place[3],
                   int64_t interval, const struct value metrics[4])
{
    struct value values[] = {
        text(rows->task->example->name),
        integer(rows->task->example->devices),
        text(mode_name(rows->task)),
        text(kind),
        integer(launch),
        integer(place[0]),
        integer(place[1]),
        integer(place[2]),
        integer(interval),
        metrics[0],
        metrics[1],
        metrics[2],
        metrics[3],
    };
    record_values(rows->run, rows->variant, rows->repetition, values, rows->time_s, rows->errors);
}

/* One row for each interval; whole rows of `row` elements if it is not 0. */
static void record_set(const struct rows *rows, const char *kind, int launch, const int place[3],
                       const struct partition_intervals *set, int64_t row)
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
    for (size_t i = 0; i < whole.count; i++)
        record(rows, kind, launch, place, (int64_t)i,
               (struct value[]){integer(whole.items[i].begin), integer(whole.items[i].end), none(),
                                none()});
    partition_intervals_free(&whole);
}

static void record_sets(const struct rows *rows)
{
    const struct copies_case *example = rows->task->example;
    for (int l = 0; l < example->launch_count; l++)
        for (int d = 0; d < example->devices; d++) {
            int place[3] = {d, NONE, NONE};
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
            int place[3] = {to, from, to};
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
        int64_t stale = 0;
        for (int from = 0; from < example->devices; from++)
            stale += intervals_total(&result->stale[from][d]);
        record(rows, "foreign", example->launch_count - 1, (int[]){d, NONE, NONE}, NONE,
               (struct value[]){none(), none(), integer(result->foreign_reads[d]), integer(stale)});
    }
}

/* Who has what before the last launch, and what a copy to the host would take then. */
static void record_owners(const struct rows *rows, const struct copies_result *result)
{
    const struct copies_task *task = rows->task;
    int before = task->example->launch_count - 2;
    for (int d = 0; d < task->example->devices; d++) {
        int place[3] = {d, d, HOST};
        if (task->mode == COPIES_LAST_WRITER)
            record_set(rows, "gather", before, place, &task->sets->writes[before][d], 0);
        if (task->mode != COPIES_OMEGA)
            continue;
        record_set(rows, "gather", before, place, &result->owner[d], 0);
        record_set(rows, "owner", before, (int[]){d, NONE, NONE}, &result->owner[d], 0);
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
