/* options.h: from what the caller leaves open or requests to what the kernel gets. */
#ifndef BLP_OPTIONS_H
#define BLP_OPTIONS_H

#include <datamotion/blp_work.h>

/* Whether the options make sense by themselves, and the kernel with this library. */
enum dm_status check_options(const struct blp_options *options);
enum dm_status check_kernel(const struct blp_kernel *kernel, const struct dm_region *region);

/* Sets which directions engines copy. */
void choose_movers(struct blp_work *work, const struct dm_region *region,
                   const struct blp_options *options);

/* Sets blocks, groups and threads of `work`. */
enum dm_status choose_groups(struct blp_work *work, const struct blp_kernel *kernel,
                             const struct blp_options *options);

/* Sets the arrays' host memory as the device addresses it, and the width of vectors. */
enum dm_status find_host_memory(struct blp_work *work, const struct dm_region *region,
                                const struct blp_options *options);

#endif
