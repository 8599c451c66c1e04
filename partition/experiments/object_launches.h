/* object_launches.h: launches of a stencil through the interposed driver API, and the objects that
 * the run time creates for them. */
#ifndef OBJECT_LAUNCHES_H
#define OBJECT_LAUNCHES_H

#include "partition/experiments/apps/application_device.h"

#include "object_jobs.h"

enum {
    OBJECT_LAUNCH_STEPS = 7, /* nothing, shared bytes, grid, block, kernel, scalar, buffers */
    OBJECT_PAIR_STEPS = 4    /* AB, BA, each again */
};
extern const char *const object_launch_steps[OBJECT_LAUNCH_STEPS];
extern const char *const object_pair_steps[OBJECT_PAIR_STEPS];

/* The virtual GPU of so many devices with the stencils' module. */
struct object_gpu {
    struct application_run run;
    CUfunction five, nine; /* stencils of so many points, of the same arguments */
    uint64_t seed;
};

/* Copies from the host reach all devices, and the last launch counts as the writer: the thesis's
 * rules. `modules`: directory of modules and data bases. Ends the program if there is no such
 * module. */
void object_gpu_open(struct object_gpu *gpu, int devices, const char *modules, uint64_t seed);
void object_gpu_close(struct object_gpu *gpu);
/* Ends the program if a call failed, which has been printed. */
void object_gpu_check(const struct object_gpu *gpu);

/* Why launches are not split here; "" if they are. */
const char *object_gpu_refusal(struct object_gpu *gpu);

/* Samples of object_jobs.h; context: the struct object_gpu. A launch is made, then one that differs
 * in `number` of object_launch_steps, then both again. */
double object_launch_sample(struct object_job *job);
/* Launches A, B, A, B, A: each reads what the one before wrote. `number` of object_pair_steps
 * counts. */
double object_pair_sample(struct object_job *job);

#endif
