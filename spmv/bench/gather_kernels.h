/* gather_kernels.h: the copy that gather and scatter (spmv_pack.h) are compared with. */
#ifndef SPMV_BENCH_GATHER_KERNELS_H
#define SPMV_BENCH_GATHER_KERNELS_H

#include <stdint.h>

#include "common/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* to[i] = from[i] for 0 <= i < count; device pointers, asynchronous. Ends the program if the kernel
 * cannot be launched. */
void spmv_copy_launch(int64_t count, const double *from, double *to, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
