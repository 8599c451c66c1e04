/* plan.h: what plan.c (life and runs of a plan) and advice.c share. */
#ifndef UNIFIED_MEMORY_PLAN_H
#define UNIFIED_MEMORY_PLAN_H

#include <datamotion/unified_memory.h>

#include "common/regions/managed.h"

struct unified_plan {
    const struct dm_region *region;
    unsigned mapped; /* bit a: array a stays on the host, where kernels access it */
    int device;
    struct managed_plan *managed;
};

/* The arrays that UNIFIED_MAP_RESULTS is about. */
unsigned mapped_arrays(const struct dm_region *region);

/* At least so many bytes must have moved: if fewer were recorded, records were lost, and how many
 * bytes moved is not known. */
void require_bytes(struct unified_traffic *traffic, size_t to_device, size_t from_device);

/* Gives the advice of mapped arrays, or takes it back, with its effects. */
enum dm_status map_arrays(const struct unified_plan *plan);
enum dm_status unmap_arrays(const struct unified_plan *plan);

#endif
