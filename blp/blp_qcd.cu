#include "common/workloads/qcd_device.h"

#include "blp_kernel.h"

static inline __device__ void qcd_compute(const struct blp_unit *unit, const void *shape)
{
    struct qcd_shape qcd = *(const struct qcd_shape *)shape;
    for (long t = unit->begin; t < unit->end; t++) {
        if (unit->stage == 0)
            qcd_hop_part(unit->views, qcd, t, unit->part, unit->parts);
        else
            qcd_combine_part(unit->views, qcd, t, unit->part, unit->parts);
    }
}

/* There are few slices, and each is much work. */
static int qcd_parts(const void *shape)
{
    return blp_parts(((const struct qcd_shape *)shape)->n / 2);
}

BLP_KERNEL(qcd, struct qcd_shape, qcd_compute, 512, 1)

/* One kernel needs more registers than blocks of 1024 threads have. */
const struct blp_kernel blp_qcd_kernel = {
    "qcd", 2, false, {512, 1, BLP_IN_SHARE, BLP_OUT_SHARE}, qcd_parts, qcd_resident, qcd_start};
