/* partition_intervals: how long it takes to find out what the parts of a launch access. */
#include <math.h>
#include <string.h>

#include "common/harness/program.h"
#include "partition/intervals.h"

#include "interval_task.h"

#include "interval_task.h"

enum { VARIANTS = INTERVAL_CACHED + 1 };

static const struct variant variants[VARIANTS + 1] = {
    {"boxes", "the image of each access is a box, or rows with bounds as functions of the row"},
    {"rows", "bounds of each row as functions of the row"},
    {"points", "first and last column of each row by an integer program (Klein)"},
    {"cached", "a look-up of what was computed before, by kernel, scalars, grid and block"},
    {0},
};

static struct option_words cases = {
    .list = "stencil:1024,stencil:2048,stencil:4096,stencil:8192,stencil:16384,stencil:20480,"
            "stencil:28672,stencil:36864,islpy,matmul,nbody"};
static struct option_words listed = {.list = "islpy"};
static const char *folder, *split = "";
static int64_t devices = 16;
static const struct program_option options[] = {
    {"cases", OPTION_WORDS, &cases, "LIST", "stencil, islpy, matmul, nbody, each with :SIZE", 0, 0},
    {"listed", OPTION_WORDS, &listed, "LIST", "cases with a row for each interval; none: -", 0, 0},
    {"devices", OPTION_INTEGER, &devices, "N", "parts of the grid", 1, PARTITION_MAX_DEVICES},
    {"split", OPTION_TEXT, &split, "DIMENSIONS", "x, y, xy; none: what the data base says", 0, 0},
    {"databases", OPTION_TEXT, &folder, "DIR", "folder of NAME.db; none: ../partition beside bin",
     0, 0},
    {0},
};

struct row {
    const char *example, *kernel;
    int64_t size;
    int devices;
    const char *split, *argument, *access;
    int64_t part, interval, intervals, elements;
    double linear_s;
    int64_t begin, end_element;
};
static const struct column columns[] = {
    {"case", COLUMN_PARAMETER, "stencil, islpy (the worked example), matmul or nbody", COLUMN_TEXT,
     offsetof(struct row, example)},
    PARAMETER(struct row, kernel, "kernel"),
    PARAMETER(struct row, size, "its argument N"),
    PARAMETER(struct row, devices, "parts of the grid"),
    PARAMETER(struct row, split, "dimensions along which the grid is cut"),
    PARAMETER(struct row, argument, "argument of the kernel"),
    PARAMETER(struct row, access, "read or write"),
    PARAMETER(struct row, part, "part of a listed interval; -1: all parts"),
    PARAMETER(struct row, interval, "its number; -1: all intervals"),
    METRIC(struct row, intervals, "accessed intervals, merged in each part"),
    METRIC(struct row, elements, "accessed elements, summed over the parts"),
    METRIC(struct row, linear_s, "seconds of the step from index sets to intervals"),
    METRIC(struct row, begin, "first element of a listed interval"),
    METRIC(struct row, end_element, "the element behind its last"),
    {0},
};

/* ---- recorded ---- */

static struct row begin_row(const struct interval_task *task)
{
    const struct interval_case *launch = task->launch;
    return (struct row){.example = launch->name,
                        .kernel = launch->kernel->name,
                        .size = launch->size,
                        .devices = launch->devices,
                        .split = launch->split,
                        .argument = launch->kernel->arguments[task->argument].name,
                        .access = task->write ? "write" : "read",
                        .part = -1,
                        .interval = -1,
                        .intervals = NO_VALUE,
                        .elements = NO_VALUE,
                        .linear_s = NAN,
                        .begin = NO_VALUE,
                        .end_element = NO_VALUE};
}

static void record_sums(struct run *run, const struct interval_task *task,
                        const struct subject *subject)
{
    struct row row = begin_row(task);
    long errors = run->settings.check ? interval_task_errors(task) : 0;
    row.intervals = row.elements = 0;
    for (int d = 0; d < task->launch->devices; d++) {
        row.intervals += (int64_t)task->sets[d].count;
        row.elements += intervals_total(&task->sets[d]);
    }
    for (size_t i = 0; i < subject->count; i++) {
        if (task->way != INTERVAL_CACHED)
            row.linear_s = task->linear_s[task->samples - subject->count + i];
        record_row(run, subject->variant, (int)i, &row, subject->times_s[i], errors);
    }
}

static void record_list(struct run *run, const struct interval_task *task,
                        const struct subject *subject)
{
    struct row row = begin_row(task);
    for (int d = 0; d < task->launch->devices; d++)
        for (size_t i = 0; i < task->sets[d].count; i++) {
            row.part = d;
            row.interval = (int64_t)i;
            row.begin = task->sets[d].items[i].begin;
            row.end_element = task->sets[d].items[i].end;
            for (size_t repetition = 0; repetition < subject->count; repetition++)
                record_row(run, subject->variant, (int)repetition, &row,
                           subject->times_s[repetition], 0);
        }
}

static bool is_listed(const char *name)
{
    for (size_t i = 0; i < listed.count; i++)
        if (strcmp(listed.values[i], name) == 0)
            return true;
    return false;
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
    for (size_t i = 0; i < cases.count; i++) {
        struct interval_case launch =
            interval_case_open(cases.values[i], folder, (int)devices, split);
        measure_case(run, &launch);
        interval_case_close(&launch);
    }
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
