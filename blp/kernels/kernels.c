#include "kernels.h"

#include <string.h>

static const struct {
    const char *benchmark;
    const struct blp_kernel *kernel;
} kernels[] = {
    {"conv2d", &conv2d_kernel}, {"conv3d", &conv3d_kernel}, {"gemm", &gemm_kernel},
    {"fdtd2d", &fdtd2d_kernel}, {"atax", &atax_kernel},     {"stencil", &stencil_kernel},
    {"qcd", &qcd_kernel},
};

const struct blp_kernel *kernel_of(const char *benchmark)
{
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        if (strcmp(kernels[k].benchmark, benchmark) == 0)
            return kernels[k].kernel;
    return NULL;
}
