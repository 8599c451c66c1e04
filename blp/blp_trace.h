/* blp_trace.h: what each block of a persistent kernel did, by the device's clock. */
#ifndef BLP_TRACE_H
#define BLP_TRACE_H

#ifdef __cplusplus
extern "C" {
#endif

enum blp_role { BLP_COPY_IN, BLP_COMPUTE, BLP_COPY_OUT };

struct blp_trace_entry {
    int block;
    enum blp_role role;
    long task;       /* of computing: task number; of copies: the slice group's number. As many
                        tasks as there are: adding up partial sums (atax) */
    int array;       /* of copies; -1 for computing */
    long first, end; /* iterations of a task; slices of a copy */
    double ready_s;  /* when its waiting ended */
    double start_s, end_s; /* start: begin of waiting for flags. From the kernel's first entry */
};

/* One entry per piece that was copied and per part of a stage of a task that was computed. Several
 * copy blocks may share a group of slices: its entries have the same `first` and `end`.
 * Give one to blp_options; entries are valid after blp_run (of the last round), ordered by
 * block, then time. */
struct blp_trace {
    struct blp_trace_entry *entries;
    long count, capacity;
};

struct blp_trace *blp_trace_create(void);
void blp_trace_release(struct blp_trace *trace);

#ifdef __cplusplus
}
#endif

#endif
