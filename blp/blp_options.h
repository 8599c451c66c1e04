/* blp_options.h: from what the user leaves open or asks for to what the kernel gets. */
#ifndef BLP_OPTIONS_H
#define BLP_OPTIONS_H

#include "blp_kernels.h"

/* A sentence in the calling thread's buffer. */
const char *blp_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* NULL, or what is wrong with the options by themselves. */
const char *blp_options_complaint(const struct blp_options *options);

/* Sets blocks, groups and threads of `work`, or says why that cannot be. */
const char *blp_choose_groups(struct blp_work *work, const struct blp_kernel *kernel,
                              const struct blp_options *options);

/* Sets the arrays' host memory as the device addresses it, and the width of vectors. */
const char *blp_find_host(struct blp_work *work, const struct dm_region *region,
                          const struct blp_options *options);

#endif
