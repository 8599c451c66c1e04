/* to_csc.h: entries on the device sorted by columns, rows in order within a column.
 *
 * A radix sort from the lowest digit of the column up, which never changes the order of entries
 * whose digit is the same: each thread counts the digits of a run of entries, prefix sums over
 * (digit, run) say where each run's entries of a digit go, and each thread brings its run there.
 * Device pointers, asynchronous. */
#ifndef SPMV_CONVERT_TO_CSC_H
#define SPMV_CONVERT_TO_CSC_H

#include "spmv/formats/format.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SPARSE_DIGIT_BITS = 4, SPARSE_DIGITS = 1 << SPARSE_DIGIT_BITS, SPARSE_DIGIT_RUN = 64 };

static inline int64_t sparse_digit_runs(int64_t entries)
{
    return (entries + SPARSE_DIGIT_RUN - 1) / SPARSE_DIGIT_RUN;
}

struct sparse_triples {
    int32_t *row, *column;
    void *value;
};

/* The entries with that digit of the column, by digit and run. */
enum dm_status sparse_convert_count_digits(const int32_t *column, int64_t entries, int shift,
                                           int64_t *counts, cudaStream_t stream);

/* Brings the entries to their places: those of a digit and run from place[digit, run] on. */
enum dm_status sparse_convert_move(const struct sparse_triples *from,
                                   const struct sparse_triples *to, enum spmv_precision precision,
                                   int64_t entries, int shift, const int64_t *place,
                                   cudaStream_t stream);

/* Where each column begins among sorted columns. */
enum dm_status sparse_convert_find_columns(const int32_t *column, int64_t entries,
                                           struct sparse_starts *starts, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
