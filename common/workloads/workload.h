/* workload.h: the layout that every shared workload follows.
 *
 * <name>.h            meaning, shape, formulas for FLOPs and bytes, launch function
 * <name>_device.h     what one CUDA thread, or all threads of a block, do for an iteration, for
 *                     kernels of other directories, too; included by .cu files only
 * <name>.cu           the kernels, with one CUDA thread per element or one block per tile
 * <name>_reference.c  the trusted CPU version
 * <name>_benchmark.c  the workload as a region with random data, for the table of benchmark.h
 *
 * in_out.h and multi_in.h have what benchmarks share. A test compares kernels and device functions
 * with the reference on random data, at sizes that are no multiples of the block. */
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
