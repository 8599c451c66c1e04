#include "common/workloads/conv2d_device.h"

#include "kernels.h"

static inline __device__ void compute(const struct blp_unit *unit, const struct conv2d_shape *shape)
{
    for (long i = unit->begin; i < unit->end; i++)
        conv2d_iteration(unit->views, *shape, i);
}

BLP_KERNEL(conv2d_kernel, struct conv2d_shape, compute, 1024, 1)
