#include "common/workloads/qcd_device.h"

#include "kernels.h"

static inline __device__ void compute(const struct blp_unit *unit, const struct qcd_shape *shape)
{
    struct qcd_shape qcd = *shape;
    for (long t = unit->begin; t < unit->end; t++) {
        if (unit->stage == 0)
            qcd_hop_part(unit->views, qcd, t, unit->part, unit->parts);
        else
            qcd_combine_part(unit->views, qcd, t, unit->part, unit->parts);
    }
}

/* There are few slices, and each is much work. */
static int parts(const void *shape)
{
    return blp_parts(((const struct qcd_shape *)shape)->n / 2);
}

/* It needs more registers than blocks of 1024 threads have. */
BLP_KERNEL(qcd_kernel, struct qcd_shape, compute, 512, 2, parts)
