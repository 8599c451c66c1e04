/* layout.h: tasks, pieces, ring buffers and device memory of a plan. */
#ifndef BLP_LAYOUT_H
#define BLP_LAYOUT_H

#include <datamotion/blp_work.h>

/* Completes `work`, in which the groups of blocks, the width of vectors and the arrays' host
 * addresses are set: chooses task size, pieces and rings within options->budget_bytes. *bytes:
 * device memory needed. */
enum dm_status lay_out_work(struct blp_work *work, const struct dm_region *region,
                            const struct blp_kernel *kernel, const struct blp_options *options,
                            size_t *bytes);

/* Places arrays, flags and partial sums one after the other from `memory` on. */
void place_work(struct blp_work *work, void *memory);

/* Whether the kernel tells the host which tasks are over. */
bool host_follows(const struct blp_work *work);

/* Trace entries that a run can make at most. */
long count_records_max(const struct blp_work *work);

#endif
