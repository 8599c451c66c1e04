/* device_memory.h: how much device memory a program has in use, its CUDA context included.
 *
 * cudaMemGetInfo tells what everyone has in use, and makes a context to ask, so a program alone
 * cannot see what its context takes. A second process can: it makes a context of its own, of the
 * same size, and what is in use grows by that. */
#ifndef COMMON_REGIONS_DEVICE_MEMORY_H
#define COMMON_REGIONS_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Starts the second process, which then waits. Call it first in main, before anything of CUDA. */
void device_memory_start(void);

/* Lets the second process measure a context and end, and keeps the result. Call it once, with the
 * device chosen and before anything is allocated there; without device_memory_start, and where
 * the process could not measure, device_memory_before is false afterwards. */
void device_memory_measure(int device);

/* Bytes in use on the current device, whoever uses them. */
size_t device_memory_in_use(void);

/* Bytes that were in use before this program came; false if that could not be told. */
bool device_memory_before(size_t *bytes);

#endif
