/* rates_kernel.h: a persistent kernel that hardly computes, for blp_measure_rates. */
#ifndef BLP_RATES_KERNEL_H
#define BLP_RATES_KERNEL_H

#include <datamotion/blp.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RATES_VECTORS = 4096 }; /* of 16 bytes in a slice */

/* The region's context: whether there is an input array, 1 or 0, and behind it one of results. */
struct rates_shape {
    int in, out;
};

extern const struct blp_kernel rates_kernel;

#ifdef __cplusplus
}
#endif
#endif
