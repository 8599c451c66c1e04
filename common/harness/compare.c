#include "compare.h"

#include <stdlib.h>
#include <string.h>

#include "common/clock.h"

#include "program.h"
#include "scope.h"

/* One task with the rows of its samples: the context of a subject. */
struct entry {
    const struct comparison *comparison;
    void *task;
    char *rows;
    size_t count, capacity;
};

static const struct variant *variant_of(const struct run *run, const void *task)
{
    return &run->program->variants[*(const int *)task];
}

static void prepare(void *context)
{
    struct entry *entry = context;
    if (entry->comparison->prepare)
        entry->comparison->prepare(entry->task);
}

static double sample(void *context)
{
    const struct entry *entry = context;
    if (entry->comparison->sample)
        return entry->comparison->sample(entry->task);
    double start_s = clock_now_s();
    entry->comparison->operation(entry->task);
    return clock_now_s() - start_s;
}

static void keep_row(void *context, double time_s)
{
    struct entry *entry = context;
    const size_t bytes = entry->comparison->row_bytes;
    if (entry->count == entry->capacity) {
        entry->capacity = entry->capacity ? 2 * entry->capacity : 64;
        entry->rows = realloc(entry->rows, entry->capacity * bytes);
        if (!entry->rows)
            fail("no host memory for %zu samples: choose fewer with -n", entry->capacity);
    }
    char *row = entry->rows + entry->count++ * bytes;
    memset(row, 0, bytes);
    entry->comparison->row(entry->task, time_s, row);
}

static void record_task(const struct compared *compared, const struct comparison *comparison,
                        const struct entry *entries, size_t number)
{
    const struct entry *entry = &entries[number];
    const struct subject *subject = &compared->subjects[number];
    struct run *run = compared->run;
    long errors =
        run->settings.check && comparison->verify ? comparison->verify(run, entry->task) : 0;
    for (size_t i = 0; i < subject->count; i++) {
        void *row = entry->rows + i * comparison->row_bytes;
        if (comparison->relate)
            comparison->relate(compared, number, i, row);
        record_row(run, subject->variant, (int)i, row, subject->times_s[i], errors);
    }
}

/* Opens the tasks and makes entries of those that take part; returns their number. */
static size_t open_tasks(struct run *run, const struct comparison *comparison, char *tasks,
                         size_t count, struct entry *entries)
{
    size_t opened = 0;
    for (size_t i = 0; i < count; i++) {
        void *task = tasks + i * comparison->task_bytes;
        if (!comparison->open || comparison->open(run, task))
            entries[opened++] = (struct entry){.comparison = comparison, .task = task};
    }
    return opened;
}

void compare_tasks(struct run *run, const struct comparison *comparison, void *tasks, size_t count)
{
    scope_open();
    struct entry *entries = allocate_or_fail(count, sizeof *entries);
    count = open_tasks(run, comparison, tasks, count, entries);
    struct subject *subjects = allocate_or_fail(count, sizeof *subjects);
    void **opened = allocate_or_fail(count, sizeof *opened);
    for (size_t i = 0; i < count; i++) {
        opened[i] = entries[i].task;
        subjects[i] = (struct subject){.variant = variant_of(run, entries[i].task)->name,
                                       .before = prepare,
                                       .sample = sample,
                                       .after = keep_row,
                                       .context = &entries[i]};
    }
    if (comparison->measure)
        comparison->measure(run, opened, subjects, count);
    else
        measure(run, subjects, count);
    const struct compared compared = {run, opened, count, subjects};
    for (size_t i = 0; i < count; i++)
        record_task(&compared, comparison, entries, i);
    for (size_t i = 0; i < count; i++) {
        if (comparison->close)
            comparison->close(entries[i].task);
        free(entries[i].rows);
    }
    measure_free(subjects, count);
    free(opened);
    free(subjects);
    free(entries);
    scope_close();
}

void compare_first_variants(struct run *run, const struct comparison *comparison,
                            const void *configuration, int variants)
{
    char *tasks = allocate_or_fail((size_t)variants, comparison->task_bytes);
    size_t count = 0;
    for (int variant = 0; variant < variants; variant++) {
        if (!program_wants_variant(run, variant))
            continue;
        char *task = tasks + count++ * comparison->task_bytes;
        memcpy(task, configuration, comparison->task_bytes);
        *(int *)task = variant;
    }
    compare_tasks(run, comparison, tasks, count);
    free(tasks);
}

void compare_variants(struct run *run, const struct comparison *comparison,
                      const void *configuration)
{
    int variants = 0;
    while (run->program->variants[variants].name)
        variants++;
    compare_first_variants(run, comparison, configuration, variants);
}

const struct subject *compared_variant(const struct compared *compared, int variant)
{
    for (size_t i = 0; i < compared->count; i++)
        if (*(const int *)compared->tasks[i] == variant)
            return &compared->subjects[i];
    return NULL;
}
