/* pipeline_lists.h: options whose value is a list with commas. */
#ifndef PIPELINE_LISTS_H
#define PIPELINE_LISTS_H

#include <stddef.h>

#include "workloads/benchmark.h"

/* The whole numbers of a list such as 1..4,8,16, in its order. Ends the program with a sentence if
 * it is none, or a number is not within least .. most. Release with free(values). */
struct pipeline_numbers {
    long *values;
    size_t count;
};
struct pipeline_numbers pipeline_read_numbers(const char *option, const char *list, long least,
                                              long most);

/* The words of a list; ends the program if one is empty. */
struct pipeline_words {
    char **values;
    size_t count;
};
struct pipeline_words pipeline_read_words(const char *option, const char *list);
void pipeline_free_words(struct pipeline_words *words);

/* What is to be executed: a benchmark, its data set and the repetitions of its loop. */
struct pipeline_workload {
    const struct benchmark_kind *kind;
    char *dataset; /* as it was given */
    size_t size;
    long rounds;
};
struct pipeline_workloads {
    struct pipeline_workload *values;
    size_t count;
};
/* The workloads of a list NAME[:DATASET[:ROUNDS]]: an entry without a data set stands for one with
 * each of the list `datasets`, one without rounds has `rounds`. Ends the program with a sentence if
 * there is no such benchmark (it names all), no such data set, or rounds are no number from 1 on.
 */
struct pipeline_workloads pipeline_read_workloads(const char *option, const char *list,
                                                  const char *datasets, long rounds);
void pipeline_free_workloads(struct pipeline_workloads *workloads);

/* A thread block such as 32x8; {0, 0, 0} if text is NULL. Ends the program if it is none. */
dim3 pipeline_read_block(const char *option, const char *text);

#endif
