/* tunable_vectors.h: products of matrices and vectors with one CUDA thread per row.
 *
 *     gesummv    y = alpha A x + beta B x
 *     mvt        x1 = x1 + A y1, then x2 = x2 + A' y2: two launches
 *
 * Matrices are row-major, size x size. The problem has one dimension: x of the block divides the
 * elements of the result, and threads with threadIdx.y > 0 have nothing to do; y only says how
 * much room of a multiprocessor a block takes. In the first launch of mvt and in gesummv
 * neighbouring threads read neighbouring rows, in the second launch of mvt neighbouring elements.
 * Source: Cui, table 5.1, after PolyBench. */
#ifndef COMMON_WORKLOADS_TUNABLE_VECTORS_H
#define COMMON_WORKLOADS_TUNABLE_VECTORS_H

#include "tunable_kind.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The arrays, in this order. */
enum { GESUMMV_A, GESUMMV_B, GESUMMV_X, GESUMMV_Y };
enum { MVT_A, MVT_Y1, MVT_Y2, MVT_X1, MVT_X2 };

tunable_launch_function gesummv_tunable_launch, mvt_tunable_launch;
tunable_reference_function gesummv_tunable_reference, mvt_tunable_reference;

#ifdef __cplusplus
}
#endif
#endif
