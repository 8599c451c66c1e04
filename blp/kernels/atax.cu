#include "common/workloads/atax_device.h"

#include "kernels.h"

static inline __device__ void compute(const struct blp_unit *unit, const struct atax_shape *shape)
{
    for (long i = unit->begin; i < unit->end; i++)
        atax_row(unit->views, *shape, i, (float *)unit->partial);
}

BLP_SUM_KERNEL(atax_kernel, struct atax_shape, compute, float, 1024, 1)
