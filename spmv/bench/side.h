/* side.h: the products of one matrix on one side, CPU or GPU, measured interleaved together
 * with what bounds them: a copy of as many bytes, and on the CPU STREAM's triad. */
#ifndef SPMV_BENCH_SIDE_H
#define SPMV_BENCH_SIDE_H

#include "common/harness/program.h"

#include "limits.h"
#include "triad.h"
#include "ways.h"

enum { SPMV_PARTS_MAX = 12 };

enum spmv_part_kind { SPMV_PART_WAY, SPMV_PART_COPY, SPMV_PART_TRIAD };

/* What takes part; its kind says which of the first three is in use. */
struct spmv_part {
    enum spmv_part_kind kind;
    struct spmv_copies copies;
    struct spmv_stream_copy stream_copy;
    struct spmv_triad triad;
    struct spmv_repeat repeat;
};

struct spmv_side {
    bool on_device;
    size_t turns, inner; /* copies of the data; operations per sample, 0: see repeat.h */
    size_t count;
    struct spmv_part parts[SPMV_PARTS_MAX];
    struct subject subjects[SPMV_PARTS_MAX];
};

/* Prepares all ways of that side that the program's options leave on. on_device and inner are set;
 * turns too, or 0: as many as no cache keeps. What does not fit gets a waived row. On the device
 * the own formats are also converted from CSR there. */
void spmv_side_open(struct spmv_side *side, struct run *run, const char *matrix,
                    const struct spmv_task *task);
void spmv_side_close(struct spmv_side *side);

#endif
