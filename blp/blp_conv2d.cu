#include "common/workloads/conv2d_device.h"

#include "blp_kernel.h"

static inline __device__ void conv2d_compute(const struct blp_unit *unit, const void *shape)
{
    for (long i = unit->begin; i < unit->end; i++)
        conv2d_iteration(unit->views, *(const struct conv2d_shape *)shape, i);
}

BLP_KERNEL(conv2d, struct conv2d_shape, conv2d_compute, 1024, 1)

const struct blp_kernel blp_conv2d_kernel = {
    "conv2d",        1,           false, {1024, 1, BLP_IN_SHARE, BLP_OUT_SHARE}, blp_one_part,
    conv2d_resident, conv2d_start};
