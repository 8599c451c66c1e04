/* multi_in.h: what the benchmarks have in common that compute one array, the last of the region,
 * from several others. Rounds are independent: each computes the same from the inputs as the host
 * has left them. */
#ifndef COMMON_WORKLOADS_MULTI_IN_H
#define COMMON_WORKLOADS_MULTI_IN_H

#include "benchmark.h"

#ifdef __cplusplus
extern "C" {
#endif

struct multi_in_method {
    /* Makes input `array`, which is uniform in [-1, 1), what the workload needs; NULL: leaves it.
     */
    void (*adjust)(const void *shape, int array, float *values);
    /* Computes on the CPU what is compared with the result. arrays[a] is array a as in host memory,
     * NULL for what the host has not. */
    void (*reference)(const void *shape, float *const *arrays, float *expected);
    size_t expected_count; /* elements of `expected`; 0: as many as the result has */
    /* Errors of the result; NULL: elements in the slices that are written and differ from the same
     * elements of `expected` by more than the tolerance (workload.h). */
    long (*count_wrong)(const void *shape, const float *result, const float *expected);
    double tolerance;
};

/* Keeps a copy of the shape as region.context. The other three are a kind's functions of that name.
 */
void multi_in_create(struct benchmark *benchmark, const void *shape, size_t shape_bytes,
                     struct multi_in_method method);
void multi_in_release(struct benchmark *benchmark);
void multi_in_reset(struct benchmark *benchmark);
long multi_in_errors(struct benchmark *benchmark);

#ifdef __cplusplus
}
#endif
#endif
