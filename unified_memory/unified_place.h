/* unified_place.h: pages that a kernel is going to overwrite. */
#ifndef UNIFIED_PLACE_H
#define UNIFIED_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/gpu.h"

/* Brings the pages of [first, end), which are bytes of managed memory from `start`, to the device.
 * Within [start, start + bytes) everything is overwritten before it is read, so that contents may
 * be lost; outside nothing is. A run of calls with ends and begins that meet covers all pages of
 * the array; each call may lose contents up to the next multiple of 2 MiB beyond its end, so
 * kernels that write there must come after it. Returns the number of CUDA calls. */
long unified_place(char *start, size_t bytes, size_t first, size_t end, int device,
                   cudaStream_t stream);

#endif
