#include "common/workloads/fdtd2d_device.h"

#include "kernels.h"

/* Stage 0: ey_new and ex_new from the inputs. Stage 1: hz_new, which needs row `begin` of ey_new
 * from the task before. */
static inline __device__ void compute(const struct blp_unit *unit, const struct fdtd2d_shape *shape)
{
    struct fdtd2d_shape fdtd2d = *shape;
    if (unit->stage == 0 && unit->first)
        fdtd2d_ey(unit->views, fdtd2d, unit->begin);
    for (long i = unit->begin; i < unit->end; i++) {
        if (unit->stage == 0) {
            fdtd2d_ey(unit->views, fdtd2d, i + 1);
            fdtd2d_ex(unit->views, fdtd2d, i);
        } else {
            fdtd2d_hz(unit->views, fdtd2d, i);
        }
    }
}

BLP_KERNEL(fdtd2d_kernel, struct fdtd2d_shape, compute, 1024, 2)
