/* compare.h: variants of one configuration side by side: opened together, sampled in turns,
 * verified, recorded, closed.
 *
 * What one variant needs in one configuration is a task: a structure of the program's whose first
 * member is `int variant`, the index of the variant. The program says by a few functions what is
 * done with a task; the loop over variants, repetitions and rows is here:
 *
 *     open all -> { prepare, sample, row } in turns (measure.h) -> verify, relate, record each ->
 * close all
 */
#ifndef COMMON_COMPARE_H
#define COMMON_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "measure.h"

struct run; /* program.h */

/* All tasks of one comparison, when their samples are taken. */
struct compared {
    struct run *run;
    void *const *tasks; /* those that were opened */
    size_t count;
    const struct subject *subjects; /* of each task: its times */
};

struct comparison {
    size_t task_bytes; /* TASK(struct ...) */
    size_t row_bytes;  /* of the structure that the program's columns name */

    /* Opens a task, of which the variant and what the configuration says are set. False: it is left
     * out, after record_waived if there is a reason to tell. NULL: nothing to do. */
    bool (*open)(struct run *run, void *task);
    /* Untimed, before each sample; may be NULL. */
    void (*prepare)(void *task);
    /* Does the operation, which is timed on the host's clock from its call to its return; or, with
     * another clock or several operations at once, `sample` returns the time in s. */
    void (*operation)(void *task);
    double (*sample)(void *task);
    /* Takes the samples, in place of measure(); `subjects[i]` is of tasks[i]. May be NULL. */
    void (*measure)(struct run *run, void *const *tasks, struct subject *subjects, size_t count);
    /* Fills the row of the sample just taken, untimed; on all ranks. */
    void (*row)(const void *task, double time_s, void *row);
    /* Fills what depends on other tasks' samples, when all are taken; may be NULL. */
    void (*relate)(const struct compared *compared, size_t task, size_t repetition, void *row);
    /* Wrong elements, counted after all samples, unless -c 0; NULL: nothing to verify. */
    long (*verify)(struct run *run, void *task);
    /* NULL: nothing to do; memory from scope.h is released anyway. */
    void (*close)(void *task);
};

/* The size of a task, whose first member must be `int variant`. */
#define TASK(type) (sizeof(type) + 0 * sizeof(char[offsetof(type, variant) == 0 ? 1 : -1]))

/* Compares all variants of the program that are wanted, each with a copy of `configuration`. */
void compare_variants(struct run *run, const struct comparison *comparison,
                      const void *configuration);

/* Compares the first `variants` variants only. */
void compare_first_variants(struct run *run, const struct comparison *comparison,
                            const void *configuration, int variants);

/* Compares tasks that the program made; their variants are set, and may be the same. */
void compare_tasks(struct run *run, const struct comparison *comparison, void *tasks, size_t count);

/* The subject of the first task of a variant, NULL if there is none. */
const struct subject *compared_variant(const struct compared *compared, int variant);

#endif
