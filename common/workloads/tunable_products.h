/* tunable_products.h: matrix products with one CUDA thread per element, for any thread block.
 *
 *     gemm     C = alpha A B + beta C
 *     2mm      AB = alpha A B, then D = AB C + beta D
 *     3mm      AB = A B, CD = C D, then G = AB CD
 *     syrk     C = alpha A A' + beta C
 *     syr2k    C = alpha (A B' + B A') + beta C
 *
 * All matrices are row-major, size x size, and whole: syrk and syr2k compute both triangles. x of
 * the block divides the columns of the result, y the rows. Kernels sum up straight from global
 * memory: with transposed matrices the threads of a row read down a column, and it depends on the
 * block what of that the caches keep. Source: Cui, table 5.1, after PolyBench. */
#ifndef COMMON_WORKLOADS_TUNABLE_PRODUCTS_H
#define COMMON_WORKLOADS_TUNABLE_PRODUCTS_H

#include "gemm.h"
#include "tunable_kind.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The arrays, in this order; gemm's are GEMM_A, GEMM_B, GEMM_C. */
enum { MM2_A, MM2_B, MM2_C, MM2_D, MM2_AB };
enum { MM3_A, MM3_B, MM3_C, MM3_D, MM3_AB, MM3_CD, MM3_G };
enum { SYRK_A, SYRK_C };
enum { SYR2K_A, SYR2K_B, SYR2K_C };

tunable_launch_function gemm_tunable_launch, mm2_tunable_launch, mm3_tunable_launch,
    syrk_tunable_launch, syr2k_tunable_launch;
tunable_reference_function gemm_tunable_reference, mm2_tunable_reference, mm3_tunable_reference,
    syrk_tunable_reference, syr2k_tunable_reference;

#ifdef __cplusplus
}
#endif
#endif
