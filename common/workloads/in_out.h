/* in_out.h: what the benchmarks have in common that compute one array, the output, from another,
 * the input: arrays 0 and 1 of the region, possibly swapped between rounds. */
#ifndef COMMON_WORKLOADS_IN_OUT_H
#define COMMON_WORKLOADS_IN_OUT_H

#include "benchmark.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IN_OUT_INPUT, IN_OUT_OUTPUT };

/* Writes the elements of the output that a round writes, on the CPU. `shape` is region.context. */
typedef void in_out_reference(const void *shape, const float *input, float *output);

struct in_out_method {
    in_out_reference *reference;
    size_t row;       /* elements of a row of the output, whose first and last ones are borders */
    double tolerance; /* of an element, relative to the magnitude of results (in_out_errors) */
};

/* Ends the program with a sentence unless smallest <= size <= largest and size is a multiple. */
void in_out_check_size(const struct benchmark *benchmark, size_t smallest, size_t largest,
                       size_t multiple);

/* Keeps a copy of the shape as region.context. The other three are a kind's functions of that name:
 * inputs are uniform in [-1, 1); outputs are NaN, and where arrays are swapped the slices that no
 * round writes are the input's. */
void in_out_create(struct benchmark *benchmark, const void *shape, size_t shape_bytes,
                   struct in_out_method method);
void in_out_release(struct benchmark *benchmark);
void in_out_reset(struct benchmark *benchmark);

/* In one round results are of magnitude 1, and the tolerance is relative to that or the element, if
 * larger. Over rounds a filter damps random data away from the borders; then each piece of a row
 * has a scale of its own, the largest of its elements. */
long in_out_errors(struct benchmark *benchmark);

#ifdef __cplusplus
}
#endif
#endif
