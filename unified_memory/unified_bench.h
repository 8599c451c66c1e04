/* unified_bench.h: a workload by explicit copies and by managed memory, measured together: what
 * the programs for the convolution and the matrix product share. */
#ifndef UNIFIED_BENCH_H
#define UNIFIED_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/harness/record.h"
#include "common/workloads/benchmark.h"
#include "common/regions/copies.h"

#include "unified.h"

struct run; /* program.h */

/* How a variant executes a region. */
struct unified_version {
    const char *variant;
    const char *kind; /* benchmark it executes; NULL: that of the case */
    bool managed;     /* managed memory by `hints`, else explicit copies by `version` */
    bool chunked;     /* in chunks on streams, else in one launch */
    enum copies_version version;
    enum unified_hints hints;
};

/* One workload in one size. */
struct unified_case {
    const struct unified_version *versions; /* ended by {0} */
    const struct benchmark_kind *kind;
    const char *dataset; /* NULL: its size follows from share and capacity */
    size_t size;
    long rounds;
    bool updates; /* the host changes the data between rounds */
    long chunks;  /* of versions in chunks */
    const long *streams;
    size_t streams_count;
    /* What the device has to do with: explicit versions get no more, and managed memory beyond it
     * is evicted, where the device can be made so small (see oversubscribe). 0: all. */
    size_t capacity_bytes;
    double share; /* of the capacity that the arrays take */
    /* Managed memory may be more than the device has: always on the software GPU. A real card is
     * then also filled up to the capacity. */
    bool oversubscribe;
};

/* The columns of the rows, ended by {0}. */
extern const struct column unified_columns[];

/* Measures all versions that the program's options leave on, interleaved; then counts traffic and
 * verifies in runs of their own; writes a row per repetition. Explicit versions that do not fit get
 * a row that says so, managed memory that must not be asked for is waived. */
void unified_bench(struct run *run, const struct unified_case *what);

/* Bytes of all arrays of a benchmark of that size. */
size_t unified_bench_footprint(const struct benchmark_kind *kind, size_t size);

#endif
