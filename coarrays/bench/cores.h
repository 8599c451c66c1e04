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

/* Threads that spin while they wait for one another slow down everything where there are more of
 * them than cores. Unless the user has set OMP_WAIT_POLICY, this starts the program again with
 * threads that sleep, as OpenMP reads its settings before main. */
void cores_let_threads_sleep(char **argv);

#endif
