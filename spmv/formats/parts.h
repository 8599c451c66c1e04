/* parts.h: which part of a matrix each OpenMP thread gets. */
#ifndef SPMV_FORMATS_PARTS_H
#define SPMV_FORMATS_PARTS_H

#include <omp.h>

#include "format.h"

/* The calling thread's share [first, last) inside a parallel region. */
struct sparse_part {
    int64_t first, last;
};

/* Of `count` equal things. */
static inline struct sparse_part sparse_equal_part(int64_t count)
{
    int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
    return (struct sparse_part){count * thread / threads, count * (thread + 1) / threads};
}

/* The first row at which at least that much work lies before: an entry counts as one, and so does a
 * row, as an empty one takes time as well. */
static inline int64_t sparse_row_of_work(const struct sparse_starts *starts, int64_t work)
{
    int64_t low = 0, high = starts->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (sparse_start(starts, middle) + middle < work)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Rows with equal work for each thread. */
static inline struct sparse_part sparse_row_part(const struct sparse_starts *starts)
{
    struct sparse_part work =
        sparse_equal_part(sparse_start(starts, starts->count) + starts->count);
    return (struct sparse_part){sparse_row_of_work(starts, work.first),
                                sparse_row_of_work(starts, work.last)};
}

/* Asks for what a loop over entries will read 256 entries later. Short rows stop the
 * processor's own prefetching again and again: with this a product of 7 entries per row takes 0.6
 * of the time. Asking beyond the end of an array is harmless. */
#define sparse_ask_ahead(element) __builtin_prefetch((element) + 256)

/* y <- beta y, for the calling thread's rows; zeros for beta 0 whatever y was. */
static inline void sparse_scale_part(enum spmv_precision precision, struct sparse_part part,
                                     double beta, void *y)
{
    if (beta == 1)
        return;
    for (int64_t row = part.first; row < part.last; row++) {
        double scaled = beta == 0 ? 0 : beta * sparse_value_at(y, precision, row);
        sparse_value_set(y, precision, row, scaled);
    }
}

#endif
