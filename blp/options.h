/* options.h: from what the caller leaves open or requests to what the kernel gets. */
#ifndef BLP_OPTIONS_H
#define BLP_OPTIONS_H

#include <datamotion/blp_work.h>

/* Whether the region makes sense, the options by themselves, and the kernel with this library. */
enum dm_status check_all(const struct dm_region *region, const struct blp_kernel *kernel,
                         const struct blp_options *options);

/* The options with `in`, `out` and engine_bytes chosen, where they leave them open and have rates.
 */
struct blp_options choose_movers(const struct dm_region *region, const struct blp_kernel *kernel,
                                 const struct blp_options *options);

/* All of `work` but its place in memory, by options whose CHOSEN directions are the blocks'.
 * *bytes: device memory needed. */
enum dm_status plan_work(struct blp_work *work, const struct dm_region *region,
                         const struct blp_kernel *kernel, const struct blp_options *options,
                         size_t *bytes);

/* Sets blocks, groups and threads of `work`. */
enum dm_status choose_groups(struct blp_work *work, const struct blp_kernel *kernel,
                             const struct blp_options *options);

/* Sets the arrays' host memory as the device addresses it, and the width of vectors. */
enum dm_status find_host_memory(struct blp_work *work, const struct dm_region *region,
                                const struct blp_options *options);

#endif
