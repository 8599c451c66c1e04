/* fma.h: the same product on the CPU with and without fused multiply-add, which rounds a
 * product and its sum once instead of twice; GPUs do so by default, and so results differ in the
 * last bits (Fanfarillo 2016, 2.6.1). */
#ifndef SPMV_BENCH_FMA_H
#define SPMV_BENCH_FMA_H

#include <datamotion/spmv.h>

/* Whether this CPU has the instruction. */
bool sparse_fma_available(void);

/* y <- A x, each row from its first entry to its last in one sum. The matrix is in CSR and double
 * precision. `is_fused` needs sparse_fma_available. */
void sparse_fma_multiply(const struct spmv_matrix *matrix, bool is_fused, const double *x,
                         double *y);

#endif
