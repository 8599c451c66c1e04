/* late_queues.h: calls that wait in their streams until they are made. */
#ifndef LATE_QUEUES_H
#define LATE_QUEUES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "partition/interpose/gpu/real_driver.h"

enum { LATE_PARAMETERS = 16, LATE_VALUES = 2048 };

struct late_call {
    struct late_call *next;
    CUresult (*run)(const struct late_call *call);
    CUcontext context; /* that was current */
    CUstream stream;
    CUevent event;
    uint64_t record; /* of the event: that it makes, or that it waits for */
    CUdeviceptr to, from;
    void *host;
    size_t bytes, pitch, height, element_bytes; /* of fills: `bytes` counts elements */
    unsigned value;
    CUDA_MEMCPY2D rectangle;
    CUhostFn host_function;
    CUfunction function;
    unsigned grid[3], block[3], shared_bytes;
    size_t parameters, offset[LATE_PARAMETERS];
    _Alignas(16) char values[LATE_VALUES];
};

/* The driver itself. */
extern struct real_driver late_plain;

void late_queues_begin(uint64_t seed);
bool late_queues_end(void);

/* Puts a copy of the call at the end of its stream. */
CUresult late_keep(const struct late_call *call);

CUresult late_record(CUevent event, CUstream stream);
CUresult late_wait(CUstream stream, CUevent event, unsigned flags);
CUresult late_synchronise(CUstream stream);
CUresult late_query(CUstream stream);

#endif
