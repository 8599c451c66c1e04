#include "common/workloads/stencil_device.h"

#include "blp_kernel.h"

static inline __device__ void stencil_compute(const struct blp_unit *unit, const void *shape)
{
    for (long i = unit->begin; i < unit->end; i++)
        stencil_part(unit->views, *(const struct stencil_shape *)shape, i, unit->part, unit->parts);
}

/* So that the last plane is not left to one block alone. */
static int stencil_parts(const void *shape)
{
    return blp_parts(((const struct stencil_shape *)shape)->rows / 64);
}

BLP_KERNEL(stencil, struct stencil_shape, stencil_compute, 1024, 1)

const struct blp_kernel blp_stencil_kernel = {
    "stencil",    1, false, {1024, 1, BLP_IN_SHARE, BLP_OUT_SHARE}, stencil_parts, stencil_resident,
    stencil_start};
