/* strided.h: a row whose values are a stride apart, added up by one CUDA thread. */
#ifndef SPMV_FORMATS_STRIDED_H
#define SPMV_FORMATS_STRIDED_H

#include "device.h"

/* The sum of `count` products of values first, first + stride, ... in that order. Values and
 * columns are read once, so they should not drive x out of the caches. HAS_PADDING: columns may be
 * -1; their (zero) products are computed as well, without reading x, which may be infinite there.
 */
template <bool HAS_PADDING, class Real>
static __device__ Real sparse_sum_strided(const int32_t *column, const Real *value, int64_t first,
                                          int64_t stride, int64_t count, const Real *x)
{
    Real sum = 0;
    for (int64_t j = 0, k = first; j < count; j++, k += stride) {
        int32_t c = __ldcs(&column[k]);
        sum += __ldcs(&value[k]) * (HAS_PADDING && c < 0 ? (Real)0 : __ldg(&x[c]));
    }
    return sum;
}

#endif
