/* trace_source.h: traces by the names that users write. */
#ifndef PINNING_TRACE_SOURCE_H
#define PINNING_TRACE_SOURCE_H

#include "common/harness/options.h"

#include "trace.h"

/* What a program's options say about its traces. */
struct trace_source {
    struct option_choices names; /* of trace_names */
    const char *file;            /* read this one instead, NULL: none */
    int64_t random_requests, random_live;
};

/* The programs of block_programs.h and `random`. */
extern const char *const trace_names[];

/* A source with a default list of names. */
#define TRACE_SOURCE(default_list)                                                                 \
    {                                                                                              \
        .names = {.noun = "trace", .names = trace_names, .list = default_list},                    \
        .random_requests = 20000, .random_live = 64                                                \
    }

/* Options of a program: which traces, and what the trace `random` is. */
#define TRACE_NAME_OPTIONS(source)                                                                 \
    {"traces",                                                                                     \
     OPTION_CHOICES,                                                                               \
     &(source).names,                                                                              \
     "LIST",                                                                                       \
     "traces, separated by commas: scf_rhf_coreh, tran_rhf_no4v, rccsd_rhf, rccsdpt_aaa,\n"        \
     "rccsdpt_aab (synthetic), random",                                                            \
     0,                                                                                            \
     0},                                                                                           \
    {                                                                                              \
        "trace-file", OPTION_TEXT, &(source).file, "FILE", "this file instead (see trace.h)", 0, 0 \
    }
#define TRACE_RANDOM_OPTIONS(source)                                                               \
    {"random-requests",                                                                            \
     OPTION_INTEGER,                                                                               \
     &(source).random_requests,                                                                    \
     "N",                                                                                          \
     "requests of the trace random",                                                               \
     1,                                                                                            \
     1e8},                                                                                         \
    {                                                                                              \
        "random-live", OPTION_INTEGER, &(source).random_live, "N",                                 \
            "live blocks of the trace random", 1, 1e6                                              \
    }

/* Makes the i-th trace of the source; false behind the last one. Ends the program if a file is bad
 * or there is no memory. Free the trace with trace_free. */
bool trace_source_get(const struct trace_source *source, size_t i, uint64_t seed,
                      struct trace *trace);

#endif
