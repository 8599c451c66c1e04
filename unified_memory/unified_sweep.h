/* unified_sweep.h: the options of the programs that compare versions, and what they sweep. */
#ifndef UNIFIED_SWEEP_H
#define UNIFIED_SWEEP_H

#include "common/harness/options.h"

#include "unified_bench.h"

/* The value of each option; see UNIFIED_SWEEP_OPTIONS. */
struct unified_sweep_options {
    const char *rounds, *streams, *shares;
    int64_t chunks;
    size_t capacity_bytes;
    bool updates, oversubscribe;
};
extern struct unified_sweep_options unified_sweep_options;

/* For a program's table of options. */
#define UNIFIED_SWEEP_OPTIONS                                                                      \
    {"rounds",                                                                                     \
     OPTION_TEXT,                                                                                  \
     &unified_sweep_options.rounds,                                                                \
     "LIST",                                                                                       \
     "numbers of repetitions of the loop in one run, such as 1,5,20",                              \
     0,                                                                                            \
     0},                                                                                           \
        {"updates",                                                                                \
         OPTION_FLAG,                                                                              \
         &unified_sweep_options.updates,                                                           \
         NULL,                                                                                     \
         "the host changes the data between rounds",                                               \
         0,                                                                                        \
         0},                                                                                       \
        {"chunks",                                                                                 \
         OPTION_INTEGER,                                                                           \
         &unified_sweep_options.chunks,                                                            \
         "N",                                                                                      \
         "chunks of the loop, at most one per iteration",                                          \
         1,                                                                                        \
         1e6},                                                                                     \
        {"streams",                                                                                \
         OPTION_TEXT,                                                                              \
         &unified_sweep_options.streams,                                                           \
         "LIST",                                                                                   \
         "numbers of streams for the chunks",                                                      \
         0,                                                                                        \
         0},                                                                                       \
        {"capacity",                                                                               \
         OPTION_SIZE,                                                                              \
         &unified_sweep_options.capacity_bytes,                                                    \
         "BYTES",                                                                                  \
         "device memory to do with; data sets follow from --shares; 0: all of it",                 \
         0,                                                                                        \
         0},                                                                                       \
        {"shares",                                                                                 \
         OPTION_TEXT,                                                                              \
         &unified_sweep_options.shares,                                                            \
         "LIST",                                                                                   \
         "sizes of the data as shares of --capacity, such as 0.5,1.5",                             \
         0,                                                                                        \
         0},                                                                                       \
    {                                                                                              \
        "oversubscribe", OPTION_FLAG, &unified_sweep_options.oversubscribe, NULL,                  \
            "allow more managed memory than the device has, and fill it up to --capacity "         \
            "(always so on the software GPU): with some drivers this hangs the GPU for all",       \
            0, 0                                                                                   \
    }

/* Sizes that a benchmark can have: least, least + step, ... */
struct unified_sizes {
    size_t least, step;
};

/* Measures the versions of a workload for all numbers of rounds (those of the option if `rounds` is
 * 0) and, with a capacity, for all shares instead of the data set. */
void unified_sweep(struct run *run, const struct unified_version *versions,
                   const struct benchmark_kind *kind, const char *dataset, long rounds,
                   struct unified_sizes sizes);

/* After all sweeps: says once if traffic could not be counted, and why. */
void unified_sweep_note(const struct run *run);

/* The size of a benchmark whose arrays take that share of the capacity: the largest within it for
 * shares below 1; from 1 on the least that reaches it and is more than the capacity. Ends the
 * program if there is none. */
size_t unified_sweep_size(const struct benchmark_kind *kind, struct unified_sizes sizes,
                          size_t capacity_bytes, double share);

#endif
