/* blp_kernels.h: the persistent kernels there are, one per workload. */
#ifndef BLP_KERNELS_H
#define BLP_KERNELS_H

#include "blp_work.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BLP_THREADS_MAX = 1024 };

/* The default shape of a kernel on a GPU. One block per multiprocessor is enough where the link is
 * the bound; a kernel bound by arithmetic needs more blocks to hide its latencies. */
struct blp_shape {
    int threads, blocks_per_multiprocessor;
    int in_share, out_share; /* one block of so many copies in, or out */
};

/* 12 and 4 of an H200's 132 blocks; README.md has the measurements. */
enum { BLP_IN_SHARE = 11, BLP_OUT_SHARE = 33 };

struct blp_kernel {
    const char *name; /* of the region */
    int stages;       /* dependent steps of an iteration */
    bool sums;        /* the whole array that is copied out sums over the iterations */
    struct blp_shape usual;
    /* Parts in which each task is computed, 1 to BLP_SHARES; `shape` is region.context. */
    int (*parts)(const void *shape);
    /* How many blocks of that many threads fit on a multiprocessor. */
    cudaError_t (*resident)(int threads, int *blocks);
    cudaError_t (*start)(const struct blp_work *work, const void *shape, cudaStream_t stream);
};

extern const struct blp_kernel blp_conv2d_kernel, blp_conv3d_kernel, blp_gemm_kernel,
    blp_fdtd2d_kernel, blp_atax_kernel, blp_stencil_kernel, blp_qcd_kernel;

/* The kernel for regions of that name, or NULL. */
const struct blp_kernel *blp_kernel_of(const char *region_name);

#ifdef __cplusplus
}
#endif
#endif
