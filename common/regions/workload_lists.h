/* workload_lists.h: options whose value is a list of workloads, or a thread block. */
#ifndef COMMON_REGIONS_WORKLOAD_LISTS_H
#define COMMON_REGIONS_WORKLOAD_LISTS_H

#include <stddef.h>

#include "common/harness/option_lists.h"
#include "common/workloads/benchmark.h"

/* What is to be executed: a benchmark, its data set and the repetitions of its loop. */
struct listed_workload {
    const struct benchmark_kind *kind;
    char *dataset; /* as it was given */
    size_t size;
    long rounds;
};
struct workload_list {
    struct listed_workload *values;
    size_t count;
};
/* The workloads of a list NAME[:DATASET[:ROUNDS]]: an entry without a data set stands for one with
 * each of the list `datasets`, one without rounds has `rounds`. Ends the program with a sentence if
 * there is no such benchmark (it names all), no such data set, or rounds are no number from 1 on.
 */
struct workload_list read_workloads(const char *option, const char *list, const char *datasets,
                                    long rounds);
void free_workloads(struct workload_list *workloads);

/* A thread block such as 32x8; {0, 0, 0} if text is NULL. Ends the program if it is none. */
dim3 read_thread_block(const char *option, const char *text);

#endif
