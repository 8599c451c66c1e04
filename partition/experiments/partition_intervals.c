/* partition_intervals: how long it takes to find out what the parts of a launch access. */
#include <string.h>

#include "common/harness/option_lists.h"
#include "common/harness/program.h"
#include "partition/intervals.h"

#include "interval_task.h"

enum { VARIANTS = INTERVAL_CACHED + 1 };

static const struct variant variants[VARIANTS + 1] = {
    {"boxes", "the image of each access is a box, or rows with bounds as functions of the row"},
    {"rows", "bounds of each row as functions of the row"},
    {"points", "first and last column of each row by an integer program (Klein)"},
    {"cached", "a look-up of what was computed before, by kernel, scalars, grid and block"},
    {0},
};

static const char *cases_list = "stencil:1024,stencil:2048,stencil:4096,stencil:8192,stencil:16384,"
                                "stencil:20480,stencil:28672,stencil:36864,islpy,matmul,nbody";
static const char *listed_cases = "islpy", *folder, *split = "";
static int64_t devices = 16;
static const struct program_option options[] = {
    {"cases", OPTION_TEXT, &cases_list, "LIST", "stencil, islpy, matmul, nbody, each with :SIZE", 0,
     0},
    {"listed", OPTION_TEXT, &listed_cases, "LIST", "cases with a row for each interval; none: -", 0,
     0},
    {"devices", OPTION_INTEGER, &devices, "N", "parts of the grid", 1, PARTITION_MAX_DEVICES},
    {"split", OPTION_TEXT, &split, "DIMENSIONS", "x, y, xy; none: what the data base says", 0, 0},
    {"databases", OPTION_TEXT, &folder, "DIR", "folder of NAME.db; none: ../partition beside bin",
     0, 0},
    {0},
};

enum {
    CASE,
    KERNEL,
    SIZE,
    DEVICES,
    SPLIT,
    ARGUMENT,
    ACCESS,
    PART,
    INTERVAL,
    INTERVALS,
    ELEMENTS,
    LINEAR_S,
    BEGIN,
    END_ELEMENT,
    COLUMNS
};
static const struct column columns[COLUMNS + 1] = {
    {"case", COLUMN_PARAMETER, "stencil, islpy (the worked example), matmul or nbody"},
    {"kernel", COLUMN_PARAMETER, "kernel"},
    {"size", COLUMN_PARAMETER, "its argument N"},
    {"devices", COLUMN_PARAMETER, "parts of the grid"},
    {"split", COLUMN_PARAMETER, "dimensions along which the grid is cut"},
    {"argument", COLUMN_PARAMETER, "argument of the kernel"},
    {"access", COLUMN_PARAMETER, "read or write"},
    {"part", COLUMN_PARAMETER, "part of a listed interval; -1: all parts"},
    {"interval", COLUMN_PARAMETER, "its number; -1: all intervals"},
    {"intervals", COLUMN_METRIC, "accessed intervals, merged in each part"},
    {"elements", COLUMN_METRIC, "accessed elements, summed over the parts"},
    {"linear_s", COLUMN_METRIC, "seconds of the step from index sets to intervals"},
    {"begin", COLUMN_METRIC, "first element of a listed interval"},
    {"end_element", COLUMN_METRIC, "the element behind its last"},
    {0},
};

/* ---- recorded ---- */

static void begin_row(struct value *values, const struct interval_task *task)
{
    const struct interval_case *launch = task->launch;
    for (int i = 0; i < COLUMNS; i++)
        values[i] = none();
    values[CASE] = text(launch->name);
    values[KERNEL] = text(launch->kernel->name);
    values[SIZE] = integer(launch->size);
    values[DEVICES] = integer(launch->devices);
    values[SPLIT] = text(launch->split);
    values[ARGUMENT] = text(launch->kernel->arguments[task->argument].name);
    values[ACCESS] = text(task->write ? "write" : "read");
    values[PART] = values[INTERVAL] = integer(-1);
}

static void record_sums(struct run *run, const struct interval_task *task,
                        const struct subject *subject)
{
    struct value values[COLUMNS];
    int64_t intervals = 0, elements = 0;
    long errors = run->settings.check ? interval_task_errors(task) : 0;
    begin_row(values, task);
    for (int d = 0; d < task->launch->devices; d++) {
        intervals += (int64_t)task->sets[d].count;
        elements += intervals_total(&task->sets[d]);
    }
    values[INTERVALS] = integer(intervals);
    values[ELEMENTS] = integer(elements);
    for (size_t i = 0; i < subject->count; i++) {
        if (task->way != INTERVAL_CACHED)
            values[LINEAR_S] = real(task->linear_s[task->samples - subject->count + i]);
        record_values(run, subject->variant, (int)i, values, subject->times_s[i], errors);
    }
}

static void record_list(struct run *run, const struct interval_task *task,
                        const struct subject *subject)
{
    struct value values[COLUMNS];
    begin_row(values, task);
    for (int d = 0; d < task->launch->devices; d++)
        for (size_t i = 0; i < task->sets[d].count; i++) {
            values[PART] = integer(d);
            values[INTERVAL] = integer((int64_t)i);
            values[BEGIN] = integer(task->sets[d].items[i].begin);
            values[END_ELEMENT] = integer(task->sets[d].items[i].end);
            for (size_t repetition = 0; repetition < subject->count; repetition++)
                record_values(run, subject->variant, (int)repetition, values,
                              subject->times_s[repetition], 0);
        }
}

static bool is_listed(const char *name)
{
    struct option_words words = option_read_words("listed", listed_cases);
    bool listed = false;
    for (size_t i = 0; i < words.count; i++)
        listed |= strcmp(words.values[i], name) == 0;
    option_free_words(&words);
    return listed;
}

/* ---- sweep ---- */

static void measure_access(struct run *run, const struct interval_case *launch, size_t argument,
                           bool write)
{
    struct interval_task tasks[VARIANTS];
    struct subject subjects[VARIANTS];
    size_t count = 0;
    for (int way = 0; way < VARIANTS; way++) {
        if (!program_wants(run, variants[way].name))
            continue;
        interval_task_open(&tasks[count], launch, argument, write, way);
        subjects[count] = interval_task_subject(&tasks[count], variants[way].name);
        count++;
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record_sums(run, &tasks[i], &subjects[i]);
        if (is_listed(launch->name))
            record_list(run, &tasks[i], &subjects[i]);
        interval_task_close(&tasks[i]);
    }
    measure_free(subjects, count);
}

static void measure_case(struct run *run, const struct interval_case *launch)
{
    const struct partition_kernel *kernel = launch->kernel;
    for (size_t i = 0; i < kernel->argument_count; i++) {
        if (kernel->arguments[i].reads)
            measure_access(run, launch, i, false);
        if (kernel->arguments[i].writes)
            measure_access(run, launch, i, true);
    }
}

static void run_all(struct run *run)
{
    struct option_words words = option_read_words("cases", cases_list);
    for (size_t i = 0; i < words.count; i++) {
        struct interval_case launch =
            interval_case_open(words.values[i], folder, (int)devices, split);
        measure_case(run, &launch);
        interval_case_close(&launch);
    }
    option_free_words(&words);
}

const struct program program = {
    .name = "partition_intervals",
    .summary = "measures how long it takes to find out which elements the parts of a grid access",
    .details = "time_s: one access of one argument, the intervals of all parts, nothing kept from\n"
               "before; of cached: one look-up. The data bases are those of partition-analyse.\n"
               "errors: parts whose intervals differ from those of another method.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .run = run_all,
};
