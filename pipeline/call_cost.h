/* call_cost.h: what the host pays for one asynchronous call. */
#ifndef PIPELINE_CALL_COST_H
#define PIPELINE_CALL_COST_H

#include "common/gpu.h"

struct run; /* program.h */

enum call_kind { CALL_COPY, CALL_KERNEL, CALL_RECORD, CALL_WAIT, CALL_KINDS };
extern const char *const calls_names[CALL_KINDS]; /* "copy", "kernel", ... */

/* A stream, and the little data that its copies and kernels use. */
struct calls {
    unsigned *host, *device;
    cudaStream_t stream;
    cudaEvent_t event;
};

/* A task of compare.h. */
struct call {
    int variant;
    struct calls *calls;
    enum call_kind kind;
};

/* Ends the program if there is no memory. */
void calls_open(struct calls *calls);
void calls_close(struct calls *calls);

/* Host time in s of one call of the kind, of a series too short to fill a queue; then
 * waits for the stream. */
double calls_sample(void *call);

/* Wrong elements after a copy and kernels that add to it. */
long calls_verify(struct run *run, void *call);

#endif
