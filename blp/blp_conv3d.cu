#include "common/workloads/conv3d_device.h"

#include "blp_kernel.h"

static inline __device__ void conv3d_compute(const struct blp_unit *unit, const void *shape)
{
    for (long i = unit->begin; i < unit->end; i++)
        conv3d_part(unit->views, *(const struct conv3d_shape *)shape, i, unit->part, unit->parts);
}

/* So that the last plane is not left to one block alone. */
static int conv3d_parts(const void *shape)
{
    return blp_parts(((const struct conv3d_shape *)shape)->rows / 64);
}

BLP_KERNEL(conv3d, struct conv3d_shape, conv3d_compute, 1024, 1)

const struct blp_kernel blp_conv3d_kernel = {
    "conv3d",        1,           false, {1024, 1, BLP_IN_SHARE, BLP_OUT_SHARE}, conv3d_parts,
    conv3d_resident, conv3d_start};
