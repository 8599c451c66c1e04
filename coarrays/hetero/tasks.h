/* tasks.h: independent tasks that images take one by one from a counter on image 1 (Fanfarillo
 * 2016, 7.3.2 and 7.3.3).
 *
 * A task is a loop of integer arithmetic that all threads of the image share, and a sum over its
 * input, so that its result is the same whoever computes it and with any number of threads. */
#ifndef COARRAYS_HETERO_TASKS_H
#define COARRAYS_HETERO_TASKS_H

#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>

/* How iterations are spread over tasks. */
enum tasks_cost {
    TASKS_EQUAL,
    TASKS_RANDOM, /* uniform, up to twice the mean */
    TASKS_SKEWED, /* half of all iterations belong to the last tenth of the tasks, which come last
                     and so are the hardest to balance */
    TASKS_COSTS
};
extern const char *const tasks_cost_names[]; /* ended by NULL */

/* Iterations of each of `count` tasks (2 or more) with that mean; of TASKS_RANDOM they depend on
 * the seed. Each is 1 or more. */
void tasks_set_iterations(enum tasks_cost cost, int count, int64_t mean, uint64_t seed,
                          int64_t *iterations);

/* Computes a task with `threads` OpenMP threads: `iterations` rounds of arithmetic on (seed, task),
 * and a weighted sum of the words of its input. */
uint64_t tasks_compute(uint64_t seed, int task, int64_t iterations, const uint64_t *input,
                       size_t words, int threads);

/* Unbalance factor in percent: (Lmax / L - 1) * 100, where Lmax is the largest of done[] and L
 * their mean; 0 if all did the same, or nothing. */
double tasks_unbalance(const int *done, int images);

/* ---- ways to hand tasks out ---- */

/* Each image calls these functions with one thread. A status is that of the call of MPI or the
 * coarray library that failed, or DM_NO_MEMORY. */
struct tasks_way {
    /* `input` has `words` words for each task, on image 1 alone; it may be freed afterwards.
     * Collective. */
    enum dm_status (*create)(void **state, int tasks, const uint64_t *input, size_t words);
    /* All tasks are there again. Collective; no image may call next before all have returned. */
    enum dm_status (*start)(void *state);
    /* *task is the next one, whose input is then in `input`, or -1: none is left. */
    enum dm_status (*next)(void *state, uint64_t *input, int *task);
    /* After next has given -1. Collective. */
    enum dm_status (*finish)(void *state);
    /* Takes NULL. */
    void (*destroy)(void *state);
};

/* The counter is a coarray: caf_atomic_operation adds 1; input is fetched with caf_get. */
extern const struct tasks_way tasks_caf;

/* The counter belongs to a thread of image 1 that receives requests from all images, its own too,
 * and sends each task with its input in one message. Needs MPI_THREAD_MULTIPLE. */
extern const struct tasks_way tasks_mpi;

#endif
