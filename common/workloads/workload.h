/* workload.h: the layout that every shared workload follows.
 *
 * A workload <name> is three files: <name>.h (the interface, with its formulas for FLOPs and
 * bytes), <name>_reference.c (the trusted CPU version) and <name>.cu (the kernel and its launch
 * function). Arrays are filled by random.h. A test compares kernel and reference on random data, at
 * sizes that are not multiples of the block. */
#ifndef COMMON_WORKLOAD_H
#define COMMON_WORKLOAD_H

#include <math.h>
#include <stddef.h>

/* Elements that differ from the reference by more than `tolerance`, relative to the larger of 1 and
 * the reference; NaN counts as wrong. */
static inline size_t workload_count_wrong(const float *result, const float *reference, size_t count,
                                          double tolerance)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        double scale = fmax(1.0, fabs((double)reference[i]));
        wrong += !(fabs((double)result[i] - (double)reference[i]) <= tolerance * scale);
    }
    return wrong;
}

#endif
