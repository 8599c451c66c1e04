/* cores.h: the cores that the threads of images may use. */
#ifndef COARRAYS_BENCH_CORES_H
#define COARRAYS_BENCH_CORES_H

#include <sched.h>

/* Lets this image's threads use the cores of all images of its node, wherever the launcher bound
 * them: otherwise threads that are handed on would share the cores of the image that gets them.
 * OpenMP's threads, which start later, inherit the mask. Returns the one before. Collective. */
cpu_set_t cores_share(void);

/* The cores that each of `threads` OpenMP threads may use: the minimum over the threads. */
int cores_usable(int threads);

#endif
