#include "common/workloads/atax_device.h"

#include "blp_kernel.h"

static inline __device__ void atax_compute(const struct blp_unit *unit, const void *shape)
{
    for (long i = unit->begin; i < unit->end; i++)
        atax_row(unit->views, *(const struct atax_shape *)shape, i, unit->partial);
}

BLP_KERNEL(atax, struct atax_shape, atax_compute, 1024, 1)

const struct blp_kernel blp_atax_kernel = {
    "atax",        1,         true, {1024, 1, BLP_IN_SHARE, BLP_OUT_SHARE}, blp_one_part,
    atax_resident, atax_start};
