/* spmv_side.h: the products of one matrix on one side, CPU or GPU, measured interleaved together
 * with the copy that bounds them. */
#ifndef SPMV_SIDE_H
#define SPMV_SIDE_H

#include "program.h"
#include "spmv_limits.h"
#include "spmv_ways.h"

enum { SPMV_PARTS_MOST = 12 };

/* What takes part: a way, or, if copies.way is NULL, the streaming copy. */
struct spmv_part {
    struct spmv_copies copies;
    struct spmv_stream_copy stream_copy;
    struct spmv_repeat repeat;
};

struct spmv_side {
    bool on_device;
    size_t turns, inner; /* copies of the data; operations per sample, 0: see spmv_repeat.h */
    size_t count;
    struct spmv_part parts[SPMV_PARTS_MOST];
    struct subject subjects[SPMV_PARTS_MOST];
};

/* Prepares all ways of that side that the program's options leave on. on_device and inner are set;
 * turns too, or 0: as many as no cache keeps. What does not fit gets a waived row. */
void spmv_side_open(struct spmv_side *side, struct run *run, const char *matrix,
                    const struct spmv_task *task);
void spmv_side_close(struct spmv_side *side);

#endif
