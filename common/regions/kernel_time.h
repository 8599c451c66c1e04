/* kernel_time.h: how long a region's kernels take by themselves, for bounds. */
#ifndef COMMON_REGIONS_KERNEL_TIME_H
#define COMMON_REGIONS_KERNEL_TIME_H

#include <stddef.h>

#include <datamotion/region.h>

/* Device memory that may be used: `requested`, or, if that is 0, nearly all that is free now. */
size_t device_budget(size_t requested);

/* Time in s of all kernels of one round, without copies beside them: the minimum of at most three
 * runs of naive, or of rings on one stream where whole arrays do not fit the budget; NaN where not
 * even that fits. The minimum, as it goes into a bound. */
double kernel_seconds(const struct dm_region *region, size_t budget_bytes);

#endif
