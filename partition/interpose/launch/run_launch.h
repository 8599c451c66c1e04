/* run_launch.h: runs a launch, on all devices or on the first. */
#ifndef RUN_LAUNCH_H
#define RUN_LAUNCH_H

#include "launches.h"

/* On all devices, where that is possible. */
CUresult run_launch(struct virtual_gpu *gpu, const struct launch_request *request);

/* Something that runs on device 0, in its stream, and reads and writes buffers there. */
struct first_device_task {
    const char *kernel; /* its name, for the line that says why; NULL: no such line */
    const char *reason;
    CUresult (*run)(CUstream stream, void *task);
    void *task;
    /* A launch that reaches memory by its arguments alone, as its data base knows; NULL: the task
     * may read and write all buffers. */
    const struct launch_request *by_arguments;
};
CUresult run_on_first_device(struct virtual_gpu *gpu, const struct first_device_task *task);

/* A launch of a known kernel on device 0. `reaches_all`: it may reach other buffers than its
 * arguments point to. */
CUresult run_launch_on_first(struct virtual_gpu *gpu, const struct launch_request *request,
                             const char *reason, bool reaches_all);

/* launch_use.c: what a task on device 0 does to a buffer. */
enum buffer_use { BUFFER_UNUSED, BUFFER_READ, BUFFER_WRITTEN };
enum buffer_use launch_use(const struct virtual_gpu *gpu, const struct first_device_task *task,
                           const struct buffer *buffer);

#endif
