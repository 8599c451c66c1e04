/* sweep.h: the options of the programs that compare versions, and what they sweep. */
#ifndef UNIFIED_MEMORY_SWEEP_H
#define UNIFIED_MEMORY_SWEEP_H

#include "common/harness/options.h"

#include "versions.h"

/* The value of each option; see SWEEP_OPTIONS. */
struct sweep_options {
    struct option_numbers rounds, streams;
    struct option_reals shares;
    int64_t chunks;
    size_t capacity_bytes;
    bool updates, oversubscribe, phases;
};
extern struct sweep_options sweep_options;

/* For a program's table of options. */
/* clang-format off */
#define SWEEP_OPTIONS                                                                              \
    {"rounds", OPTION_NUMBERS, &sweep_options.rounds, "LIST",                                      \
     "numbers of repetitions of the loop in one run, such as 1,5,20", 1, 1e6},                     \
    {"updates", OPTION_FLAG, &sweep_options.updates, NULL,                                         \
     "the host changes the data between rounds", 0, 0},                                            \
    {"phases", OPTION_FLAG, &sweep_options.phases, NULL,                                           \
     "say what each phase of managed versions with one stream takes, which costs time", 0, 0},     \
    {"chunks", OPTION_INTEGER, &sweep_options.chunks, "N",                                         \
     "chunks of the loop, at most one per iteration", 1, 1e6},                                     \
    {"streams", OPTION_NUMBERS, &sweep_options.streams, "LIST",                                    \
     "numbers of streams for the chunks", 1, UNIFIED_STREAMS_MAX},                                 \
    {"capacity", OPTION_SIZE, &sweep_options.capacity_bytes, "BYTES",                              \
     "device memory to be used; data sets follow from --shares; 0: all of it", 0, 0},              \
    {"shares", OPTION_REALS, &sweep_options.shares, "LIST",                                        \
     "sizes of the data as shares of --capacity, such as 0.5,1.5", 1e-9, 100},                     \
    {"oversubscribe", OPTION_FLAG, &sweep_options.oversubscribe, NULL,                             \
     "allow more managed memory than the device has, and fill it up to --capacity (always so on "  \
     "the software GPU): with some drivers this hangs the GPU for all", 0, 0}
/* clang-format on */

/* Sizes that a benchmark can have: smallest, smallest + step, ... */
struct sizes {
    size_t smallest, step;
};

/* Measures the versions of a workload for all numbers of rounds (those of the option if `rounds` is
 * 0) and, with a capacity, for all shares instead of the data set. */
void sweep_versions(struct run *run, const struct version *versions,
                    const struct benchmark_kind *kind, const char *dataset, long rounds,
                    struct sizes sizes);

/* After all sweeps: says once if traffic could not be counted, and why. */
void note_traffic(const struct run *run);

/* The size of a benchmark whose arrays take that share of the capacity: the largest within it for
 * shares below 1; from 1 on the smallest that reaches it and is more than the capacity. Ends the
 * program if there is none. */
size_t size_of_share(const struct benchmark_kind *kind, struct sizes sizes, size_t capacity_bytes,
                     double share);

#endif
