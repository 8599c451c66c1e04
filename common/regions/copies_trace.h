/* copies_trace.h: what an execution by copies did: one entry per copy of slices and per chunk of
 * kernels. */
#ifndef COMMON_REGIONS_COPIES_TRACE_H
#define COMMON_REGIONS_COPIES_TRACE_H

#include <datamotion/region.h>
#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum trace_kind { TRACE_TO_DEVICE, TRACE_KERNEL, TRACE_FROM_DEVICE };

struct trace_entry {
    enum trace_kind kind;
    long round, chunk;
    int stream;
    int array;             /* of copies; -1 for kernels */
    long first, end;       /* slices of a copy; iterations of kernels */
    long slot;             /* of the first slice of a copy; -1 for whole arrays and kernels */
    long slots;            /* of the array's ring buffer; 0 for whole arrays and kernels */
    double start_s, end_s; /* on the device, from the start of the run */
};

/* Give one to copies_options to have a run traced; entries are valid after copies_run. Tracing
 * records an event before and after each operation, so a traced run is slower. */
struct copies_trace {
    struct trace_entry *entries;
    long count, capacity;
};

/* DM_NO_MEMORY. */
enum dm_status copies_trace_create(struct copies_trace **trace);
/* NULL is taken. */
void copies_trace_release(struct copies_trace *trace);

#ifdef __cplusplus
}
#endif
#endif
