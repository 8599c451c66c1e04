/* benchmark.h: what the programs that measure prefetching share. */
#ifndef PREFETCH_BENCHMARK_H
#define PREFETCH_BENCHMARK_H

#include <stddef.h>
#include <stdint.h>

#include "common/harness/measure.h"
#include "common/harness/options.h"
#include "prefetch/sial/sial.h"

/* What joins the ranks: "shared memory" within one host, "cluster 1gbit 100us" (rate and delay of
 * its links) on the virtual cluster of run/cluster, else "network". For a column that every program
 * has. */
const char *benchmark_network(void);
#define BENCHMARK_NETWORK_COLUMN                                                                   \
    {                                                                                              \
        "network", COLUMN_PARAMETER,                                                               \
            "what joins the ranks: shared memory, the virtual cluster with rate and delay of its " \
            "links, or another network"                                                            \
    }

/* An option that every rank sees to be wrong: rank 0 says so, and the job ends. */
void benchmark_refuse(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* The numbers of a list such as 1..4,8,16. Ends the program with a sentence if it is none, or a
 * number is not within least .. most. */
struct benchmark_numbers {
    int64_t *values; /* free() */
    size_t count;
};
struct benchmark_numbers benchmark_read_numbers(const char *option, const char *list, int64_t least,
                                                int64_t most);

/* The SIAL programs of a list NAME:SET,NAME:SET; SET is NAME=VALUE:NAME=VALUE, the predefined
 * values, or nothing. */
struct benchmark_program {
    char *name;
    struct sial_program *code;
};
/* Takes the next program off *at and compiles it, on all ranks. False: the list is at its end. */
bool benchmark_next_program(const char **at, struct benchmark_program *program);
void benchmark_free_program(struct benchmark_program *program);

/* What a subject measured beside its times: one item for each call of its `sample`, warm-up
 * included. */
struct benchmark_samples {
    void *items;
    size_t count, capacity, item_bytes;
};
/* A new item at the end, all zero. */
void *benchmark_add_sample(struct benchmark_samples *samples);
/* The item of a repetition that measure() kept. */
const void *benchmark_sample(const struct benchmark_samples *samples, const struct subject *subject,
                             size_t repetition);

#endif
