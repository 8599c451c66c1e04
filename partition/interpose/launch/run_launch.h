/* run_launch.h: runs a launch, on all devices or on the first. */
#ifndef RUN_LAUNCH_H
#define RUN_LAUNCH_H

#include "launches.h"

/* On all devices, where that is possible. */
CUresult run_launch(struct virtual_gpu *gpu, const struct launch_request *request);

/* Something that runs on device 0, in its stream, and may read and write all buffers there. */
struct first_device_task {
    const char *kernel; /* its name, for the line that says why; NULL: no such line */
    const char *reason;
    CUresult (*run)(CUstream stream, void *task);
    void *task;
};
CUresult run_on_first_device(struct virtual_gpu *gpu, const struct first_device_task *task);

/* A launch of a known kernel on device 0. */
CUresult run_launch_on_first(struct virtual_gpu *gpu, const struct launch_request *request,
                             const char *reason);

#endif
