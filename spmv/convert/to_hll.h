/* to_hll.h: kernels of the conversion to HLL. Device pointers, asynchronous. */
#ifndef SPMV_CONVERT_TO_HLL_H
#define SPMV_CONVERT_TO_HLL_H

#include "spmv/formats/hll.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What each hack stores, from its longest row, and its segments behind the first; a 0 behind the
 * last. */
enum dm_status sparse_convert_hacks(const int32_t *longest, int64_t hacks, int64_t hack_rows,
                                    int64_t *stored, int64_t *segments, cudaStream_t stream);

/* Lists the segments of each hack from place[hack] on. */
enum dm_status sparse_convert_segments(const int64_t *place, int64_t hacks,
                                       struct sparse_hll_segment *segments, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
