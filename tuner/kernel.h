/* kernel.h: a kernel of the suite as an objective: the time of its launches on the device. */
#ifndef TUNER_KERNEL_H
#define TUNER_KERNEL_H

#include <datamotion/tuner.h>

#include "common/workloads/tunable.h"

/* All thread blocks, bx by by. */
extern const char kernel_all_blocks[];

struct kernel;

/* A kernel at a data set or a size, with thread blocks of the parameters bx and by. time_s is the
 * mean of `runs` launches after one that is not timed and is verified (wrong results: failed).
 * DM_INVALID: the space has no bx or by, the data set is unknown, no run; or CUDA's error. Ends the
 * program where tunable.h says so. */
enum dm_status kernel_open(struct kernel **kernel, const struct tuner_space *space,
                           const struct tunable_kind *kind, const char *dataset, int runs,
                           uint64_t seed);
void kernel_close(struct kernel *kernel);
struct tuner_objective kernel_objective(struct kernel *kernel);

#endif
