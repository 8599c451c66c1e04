/* tunable_compare.h: compares results with expected ones where both lie: on the device. */
#ifndef COMMON_WORKLOADS_TUNABLE_COMPARE_H
#define COMMON_WORKLOADS_TUNABLE_COMPARE_H

#include <stddef.h>

#include "common/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds to *wrong, on the device, the number of elements that differ from the expected ones by more
 * than `tolerance`, relative to the larger of 1 and the expected one; NaN counts as wrong. At most
 * 2^31 elements. Asynchronous; errors are the launch's. */
cudaError_t tunable_compare(const float *result, const float *expected, size_t count,
                            double tolerance, unsigned *wrong, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
