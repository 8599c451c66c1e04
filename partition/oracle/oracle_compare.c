/* oracle_compare.c: recorded accesses against those that the analysis gives, element by element. */
#include "partition/intervals.h"

#include "oracle.h"
#include "common/harness/exit.h"

#include <stdlib.h>
#include <string.h>

static const char *const access_names[] = {"read", "write"};
static const char *const method_names[] = {
    [PARTITION_BOXES] = "boxes", [PARTITION_ROWS] = "rows", [PARTITION_POINTS] = "points"};

/* One access of one part. */
struct question {
    struct oracle_launch *launch;
    const struct partition_part *part;
    const char *split;
    int devices;
    size_t argument;
    bool write;
    struct oracle_counts *counts;
};

struct difference {
    size_t missing; /* accessed, not expected */
    size_t extra;   /* expected, not accessed */
};

static void mark(unsigned char *expected, size_t elements, const struct partition_intervals *set,
                 struct difference *difference)
{
    for (size_t i = 0; i < set->count; i++)
        for (int64_t at = set->items[i].begin; at < set->items[i].end; at++)
            if (at >= 0 && (size_t)at < elements)
                expected[at] = 1;
            else
                difference->extra++;
}

static struct difference differences(const struct oracle_argument *array, bool write,
                                     const struct partition_intervals *set)
{
    struct difference difference = {0};
    unsigned char *expected = allocate_or_fail(array->elements, 1);
    memset(expected, 0, array->elements);
    mark(expected, array->elements, set, &difference);
    for (size_t i = 0; i < array->elements; i++) {
        difference.missing += array->accessed[write][i] && !expected[i];
        difference.extra += expected[i] && !array->accessed[write][i];
    }
    free(expected);
    return difference;
}

static void wrong(const struct question *question, const char *method, const char *what)
{
    question->counts->wrong++;
    printf("wrong: %s, split %s, part %d of %d, %s of %s by %s: %s\n",
           question->launch->kernel->name, question->split, question->part->device,
           question->devices, access_names[question->write],
           question->launch->kernel->arguments[question->argument].name, method, what);
}

static bool may_write(const struct question *question)
{
    return question->launch->kernel->arguments[question->argument].may_write;
}

/* What perhaps is not written must be up to date where the part ran, too: it must be read. */
static void judge_old_values(const struct question *question, enum partition_access method,
                             const struct partition_intervals *writes)
{
    const struct oracle_launch *launch = question->launch;
    const struct partition_launch made = {launch->kernel, launch->scalars, &launch->its->shape};
    struct partition_intervals reads = {0}, lacking = {0};
    enum partition_extent extent;
    enum dm_status status = partition_accesses(&made, question->argument, false, question->part,
                                               method, &reads, &extent, NULL);
    if (status == DM_OK && extent != PARTITION_WHOLE)
        status = intervals_subtract(&lacking, writes, &reads);
    if (status != DM_OK)
        wrong(question, method_names[method], dm_message());
    else if (lacking.count)
        wrong(question, method_names[method], "elements that may be written are not read");
    partition_intervals_free(&reads);
    partition_intervals_free(&lacking);
}

static void judge(const struct question *question, const char *method,
                  const struct partition_intervals *set)
{
    char text[128];
    const struct oracle_argument *array = &question->launch->arguments[question->argument];
    struct difference difference = differences(array, question->write, set);
    bool is_exact = question->write && !may_write(question);
    if (difference.missing || (is_exact && difference.extra)) {
        snprintf(text, sizeof text, "%zu elements missing, %zu too many", difference.missing,
                 difference.extra);
        wrong(question, method, text);
    } else if (difference.extra) {
        question->counts->larger++;
    }
}

static void compare_method(const struct question *question, enum partition_access method)
{
    struct oracle_launch *launch = question->launch;
    struct partition_intervals set = {0};
    enum partition_extent extent;
    const struct partition_launch made = {launch->kernel, launch->scalars, &launch->its->shape};
    enum dm_status status = partition_accesses(&made, question->argument, question->write,
                                               question->part, method, &set, &extent, NULL);
    question->counts->comparisons++;
    if (status != DM_OK)
        wrong(question, method_names[method], dm_message());
    else if (extent == PARTITION_WHOLE)
        question->counts->larger++;
    else
        judge(question, method_names[method], &set);
    if (status == DM_OK && question->write && may_write(question))
        judge_old_values(question, method, &set);
    partition_intervals_free(&set);
}

/* Different parts write different elements where the analysis says so. */
static void compare_with_earlier(const struct question *question)
{
    struct oracle_argument *array = &question->launch->arguments[question->argument];
    bool injective = question->launch->kernel->arguments[question->argument].injective;
    size_t twice = 0;
    for (size_t i = 0; i < array->elements; i++) {
        twice += array->accessed[1][i] && array->earlier[i];
        array->earlier[i] |= array->accessed[1][i];
    }
    question->counts->comparisons++;
    if (twice && injective)
        wrong(question, "running it", "elements are written by two parts");
}

static void compare_array(struct question *question)
{
    if (question->launch->arguments[question->argument].outside)
        wrong(question, "running it", "the case accesses elements beside the array");
    for (int write = 0; write < 2; write++) {
        question->write = write;
        for (int method = PARTITION_BOXES; method <= PARTITION_POINTS; method++)
            compare_method(question, (enum partition_access)method);
    }
    compare_with_earlier(question);
}

static void start_over(struct oracle_launch *launch)
{
    for (size_t i = 0; i < launch->kernel->argument_count; i++)
        if (launch->arguments[i].memory)
            memset(launch->arguments[i].earlier, 0, launch->arguments[i].elements);
}

static void compare_cut(struct oracle_launch *launch, const char *split, int devices,
                        struct oracle_counts *counts)
{
    struct partition_part parts[PARTITION_MAX_DEVICES];
    if (partition_grid(launch->its->shape.grid, devices, split, false, parts) != DM_OK)
        fail("%s cannot be cut along %s: %s", launch->kernel->name, split, dm_message());
    start_over(launch);
    for (int i = 0; i < devices; i++) {
        struct question question = {launch, &parts[i], split, devices, 0, false, counts};
        if (parts[i].blocks[0] == 0)
            continue;
        oracle_run_part(launch, &parts[i]);
        for (size_t a = 0; a < launch->kernel->argument_count; a++) {
            question.argument = a;
            if (launch->arguments[a].memory && !launch->kernel->arguments[a].reduction)
                compare_array(&question);
        }
    }
}

void oracle_compare(struct oracle_launch *launch, struct oracle_counts *counts)
{
    static const char *const splits[] = {"x", "y", "z", "xy"};
    static const int devices[] = {1, 2, 3};
    for (size_t s = 0; s < sizeof splits / sizeof *splits; s++)
        for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
            const unsigned *grid = launch->its->shape.grid;
            bool cuts = grid[splits[s][0] - 'x'] > 1 && (!splits[s][1] || grid[1] > 1);
            if (cuts)
                compare_cut(launch, splits[s], devices[d], counts);
        }
}
