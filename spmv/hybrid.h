/* hybrid.h: one product on CPU and GPU together: the CPU has the first rows in CSR, the GPU the
 * others in a format of its own, and between two products each gets the elements of x that the
 * other has computed.
 *
 *        host threads: rows [0, c)             GPU: rows [c, n)
 *        x[0, c) own, halo from the GPU  <==>  x[c, n) own, halo from the CPU
 *                       page-locked buffers, both ways at once
 *
 * Source: Fanfarillo 2016, 3.2. */
#ifndef SPMV_HYBRID_H
#define SPMV_HYBRID_H

#include "sparse_format.h"

struct hybrid;

/* Cuts the (square) matrix after cpu_rows rows (0: GPU alone; all: CPU alone). NULL: a matrix or
 * cut that is none, or no memory. */
struct hybrid *hybrid_open(const struct sparse_coo *coo, int64_t cpu_rows,
                           enum sparse_format gpu_format, const struct sparse_options *options,
                           struct sparse_error *error);

/* Sets x, `rows` values of the matrix's precision. */
void hybrid_set(struct hybrid *hybrid, const void *x);
/* y <- A x, then x <- y, `times` (at least 1) times, with the exchange before each product; waits
 * for the end. threads: of the CPU part. The matrix should have a norm near 1, or values run away.
 */
void hybrid_run(struct hybrid *hybrid, int times, int threads);
/* y of the last product (or x, if there was none), `rows` values, without changing it. */
void hybrid_result(struct hybrid *hybrid, void *y);

/* Elements that cross the bus for one product, each way, and times of the parts in the last run (s
 * per product; 0 for a part that is not there). */
struct hybrid_report {
    int64_t to_device_elements, from_device_elements;
    double cpu_s, gpu_s, exchange_s;
};
struct hybrid_report hybrid_report(const struct hybrid *hybrid);

void hybrid_close(struct hybrid *hybrid);

#endif
