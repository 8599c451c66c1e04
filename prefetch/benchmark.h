/* benchmark.h: what the programs that measure prefetching share. */
#ifndef PREFETCH_BENCHMARK_H
#define PREFETCH_BENCHMARK_H

#include <datamotion/prefetch_program.h>

/* What joins the ranks: "shared memory" within one host, "cluster 1gbit 100us" (rate and delay of
 * its links) on the virtual cluster of run/cluster, else "network". For a column of most programs.
 */
const char *benchmark_network(void);
#define BENCHMARK_NETWORK_COLUMN(row)                                                              \
    PARAMETER(row, network,                                                                        \
              "what joins the ranks: shared memory, the virtual cluster with rate and delay of "   \
              "its links, or another network")

/* A SIAL program of a list NAME:SET,NAME:SET; SET is NAME=VALUE:NAME=VALUE, the predefined values,
 * or nothing. */
struct benchmark_program {
    char *name;
    struct prefetch_program *code;
};
#define BENCHMARK_PROGRAMS_OPTION(words)                                                           \
    {                                                                                              \
        "programs", OPTION_WORDS, words, "LIST",                                                   \
            "SIAL programs with their predefined values, NAME:VALUE=NUMBER:...,NAME:...", 0, 0     \
    }

/* Compiles an entry of the list, on all ranks; ends the program with a sentence if it cannot. */
struct benchmark_program benchmark_compile(const char *entry);
void benchmark_free_program(struct benchmark_program *program);

#endif
