/* repeat.h: a short operation, done many times within one sample on copies of the data, used
 * round-robin. */
#ifndef SPMV_BENCH_REPEAT_H
#define SPMV_BENCH_REPEAT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/gpu.h"

/* Data exist at most this many times. */
enum { SPMV_TURNS_MAX = 8 };

struct spmv_repeat {
    void (*operate)(void *context, size_t turn, cudaStream_t stream); /* turn < turns */
    void *context;
    size_t turns;
    bool on_device; /* the operation is asynchronous on the stream, and events time it */
    /* ---- set by spmv_repeat_open ---- */
    size_t inner; /* operations per sample */
    size_t turn;
    cudaStream_t stream;
    cudaEvent_t begin, end;
};

/* The first five fields are set. inner 0: as many operations as take about 1 ms, at most 100. Does
 * the operation on all data. */
void spmv_repeat_open(struct spmv_repeat *repeat, size_t inner);
void spmv_repeat_close(struct spmv_repeat *repeat);

/* Seconds of one operation in the mean over a sample: by the host's clock, or between two events on
 * the stream. For struct subject of measure.h; `repeat` is a struct spmv_repeat. */
double spmv_repeat_sample(void *repeat);

#endif
