/* gemm_check.h: how the benchmarks with gemm's kernels are checked: small matrices element by
 * element, large ones by sums of rows. */
#ifndef COMMON_WORKLOADS_GEMM_CHECK_H
#define COMMON_WORKLOADS_GEMM_CHECK_H

#include "gemm.h"
#include "multi_in.h"

/* multi_in_create with the method for this size. Matmul's C is not read: its direction tells. */
void gemm_check_create(struct benchmark *benchmark, struct gemm_shape shape);

#endif
