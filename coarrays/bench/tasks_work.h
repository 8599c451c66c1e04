/* tasks_work.h: a set of tasks with their input, and whether what images computed is right. */
#ifndef COARRAYS_BENCH_TASKS_WORK_H
#define COARRAYS_BENCH_TASKS_WORK_H

#include <stddef.h>
#include <stdint.h>

struct tasks_work {
    uint64_t seed;
    int tasks, threads;
    size_t words;        /* of a task's input */
    int64_t *iterations; /* of each task, for tasks_set_iterations */
    uint64_t *input;     /* of all tasks, random, on image 1; NULL elsewhere */
};

/* Ends the program for lack of memory. */
struct tasks_work tasks_work_make(uint64_t seed, int tasks, size_t input_bytes);
void tasks_work_free(struct tasks_work *work);

/* What this image did. */
struct tasks_results {
    uint64_t *values; /* of each task; 0: computed elsewhere */
    int *times_done;  /* how often this image computed each task */
};
struct tasks_results tasks_results_make(const struct tasks_work *work);
void tasks_results_clear(const struct tasks_work *work, struct tasks_results *results);
void tasks_results_free(struct tasks_results *results);

/* Takes a task with its input and notes the result. */
void tasks_work_do(const struct tasks_work *work, int task, const uint64_t *input,
                   struct tasks_results *results);

/* Number of tasks that all images together did not compute exactly once, or whose result is not
 * that of one thread; each image computes a part of them anew. Afterwards `results` are those of
 * all images. Collective. */
long tasks_results_wrong(const struct tasks_work *work, struct tasks_results *results);

#endif
