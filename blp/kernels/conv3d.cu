#include "common/workloads/conv3d_device.h"

#include "kernels.h"

static inline __device__ void compute(const struct blp_unit *unit, const struct conv3d_shape *shape)
{
    for (long i = unit->begin; i < unit->end; i++)
        conv3d_part(unit->views, *shape, i, unit->part, unit->parts);
}

/* So that the last plane is not left to one block alone. */
static int parts(const void *shape)
{
    return blp_parts(((const struct conv3d_shape *)shape)->rows / 64);
}

BLP_KERNEL(conv3d_kernel, struct conv3d_shape, compute, 1024, 1, parts)
