#include "common/workloads/fdtd2d_device.h"

#include "blp_kernel.h"

/* Stage 0: ey_new and ex_new from the inputs. Stage 1: hz_new, which needs row `begin` of ey_new
 * from the task before. */
static inline __device__ void fdtd2d_compute(const struct blp_unit *unit, const void *shape)
{
    struct fdtd2d_shape fdtd2d = *(const struct fdtd2d_shape *)shape;
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

BLP_KERNEL(fdtd2d, struct fdtd2d_shape, fdtd2d_compute, 1024, 1)

const struct blp_kernel blp_fdtd2d_kernel = {
    "fdtd2d",        2,           false, {1024, 1, BLP_IN_SHARE, BLP_OUT_SHARE}, blp_one_part,
    fdtd2d_resident, fdtd2d_start};
