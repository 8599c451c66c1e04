/* versions.h: a workload by explicit copies and by managed memory, measured together: what the
 * programs for the convolution and the matrix product share. */
#ifndef UNIFIED_MEMORY_VERSIONS_H
#define UNIFIED_MEMORY_VERSIONS_H

#include "common/harness/record.h"
#include "methods.h"

/* How a variant of the program executes a region. */
struct version {
    const char *kind; /* benchmark that it executes; NULL: that of the case */
    bool is_managed;  /* managed memory by `hints`, else `copies` */
    bool is_chunked;  /* in chunks on streams, else in one launch */
    enum unified_hints hints;
    enum copies_version copies;
};

/* One workload in one size. */
struct versions_case {
    const struct version *versions; /* one for each variant of the program */
    const struct benchmark_kind *kind;
    const char *dataset; /* NULL: its size follows from share and capacity */
    size_t size;
    long rounds;
    bool updates; /* the host changes the data between rounds */
    long chunks;  /* of versions in chunks */
    const long *streams;
    size_t streams_count;
    /* Device memory to be used: versions with copies get no more, and managed memory beyond it is
     * evicted, where the device can be made so small (see oversubscribe). 0: all. */
    size_t capacity_bytes;
    double share; /* of the capacity that the arrays take */
    /* Managed memory may be more than the device has: always on the software GPU. A real card is
     * then also filled up to the capacity. */
    bool oversubscribe;
    bool phases; /* the rows of naive and managed versions on one stream say what phases took */
};

/* The columns of the rows, ended by {0}. */
extern const struct column versions_columns[];

/* Measures all versions that the program's options leave on, interleaved; then counts traffic and
 * verifies in runs of their own; writes a row per repetition. Versions with copies that do not fit
 * get a row that says so; managed memory beyond the limit is waived. */
void measure_versions(struct run *run, const struct versions_case *what);

/* The rows of one configuration (rows.c). limited: the device has no more memory than the capacity.
 */
void record_version(struct run *run, const struct versions_case *what,
                    const struct bench_configuration *configuration, bool limited);

/* Bytes of all arrays of a benchmark of that size. */
size_t footprint_of(const struct benchmark_kind *kind, size_t size);

#endif
