/* pipeline_memory.h: how much device memory a program has in use, its CUDA context included.
 *
 * cudaMemGetInfo tells what everyone has in use, and makes a context to ask, so a program alone
 * cannot see what its context takes. A second process can: it makes a context of its own, of the
 * same size, and what is in use grows by that. */
#ifndef PIPELINE_MEMORY_H
#define PIPELINE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Starts the second process, which then waits. Call it first in main, before anything of CUDA. */
void pipeline_memory_start(void);

/* Lets the second process measure a context and end, and keeps the result. Call it once, with the
 * device chosen and before anything is allocated there; without pipeline_memory_start, and where
 * the process could not measure, pipeline_memory_own is false afterwards. */
void pipeline_memory_measure(int device);

/* Bytes in use on the current device, whoever uses them. */
size_t pipeline_memory_in_use(void);

/* Bytes that were in use before this program came; false if that could not be told. */
bool pipeline_memory_before(size_t *bytes);

#endif
