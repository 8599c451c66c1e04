/* cusparse.h: products by cuSPARSE, the vendor's library, as peers of the own formats. */
#ifndef SPMV_BENCH_CUSPARSE_H
#define SPMV_BENCH_CUSPARSE_H

#include "ways.h"

#if defined(SOFTGPU)
static const struct spmv_way spmv_cusparse_ways[] = {{0}}; /* it needs CUDA */
#else
/* CSR by both of its algorithms, COO, and sliced ELL; each has an external buffer and was
 * preprocessed when it was opened, so that a product is one call. Ended by {0}. */
extern const struct spmv_way spmv_cusparse_ways[];
#endif

#endif
