#include "common/workloads/stencil_device.h"

#include "kernels.h"

static inline __device__ void compute(const struct blp_unit *unit,
                                      const struct stencil_shape *shape)
{
    for (long i = unit->begin; i < unit->end; i++)
        stencil_part(unit->views, *shape, i, unit->part, unit->parts);
}

/* So that the last plane is not left to one block alone. */
static int parts(const void *shape)
{
    return blp_parts(((const struct stencil_shape *)shape)->rows / 64);
}

BLP_KERNEL(stencil_kernel, struct stencil_shape, compute, 1024, 1, parts)
