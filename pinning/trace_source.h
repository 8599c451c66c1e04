/* trace_source.h: traces by the names that users write. */
#ifndef PINNING_TRACE_SOURCE_H
#define PINNING_TRACE_SOURCE_H

#include "trace.h"

/* Parameters of the trace `random`; targets of options. */
struct trace_source {
    const char *names; /* separated by commas: programs of block_programs.h, random */
    const char *file;  /* read this one instead, NULL: none */
    int64_t random_requests, random_live;
};

/* The next trace of the source; false at the end. *at begins as names and moves on. Ends the
 * program on unknown names, bad files and lack of memory. Free the trace with trace_free. */
bool trace_source_next(const struct trace_source *source, const char **at, uint64_t seed,
                       struct trace *trace);

#endif
