/* place.h: pages that a kernel is going to overwrite. */
#ifndef UNIFIED_MEMORY_PLACE_H
#define UNIFIED_MEMORY_PLACE_H

#include "common/regions/managed.h"

/* A managed_place that moves nothing where CUDA offers that. It may lose contents up to the next
 * multiple of 2 MiB beyond `end`, so kernels that write there must come after the call. */
managed_place place_pages;

#endif
