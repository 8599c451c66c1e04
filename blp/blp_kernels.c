#include "blp_kernels.h"

#include <string.h>

static const struct blp_kernel *const kernels[] = {
    &blp_conv2d_kernel, &blp_conv3d_kernel,  &blp_gemm_kernel, &blp_fdtd2d_kernel,
    &blp_atax_kernel,   &blp_stencil_kernel, &blp_qcd_kernel,
};

const struct blp_kernel *blp_kernel_of(const char *region_name)
{
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        if (strcmp(kernels[k]->name, region_name) == 0)
            return kernels[k];
    return NULL;
}

bool blp_has_kernel(const char *region_name)
{
    return blp_kernel_of(region_name) != NULL;
}
