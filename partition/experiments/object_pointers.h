/* object_pointers.h: the pointers behind the one that cuMemAlloc gives a program. */
#ifndef OBJECT_POINTERS_H
#define OBJECT_POINTERS_H

#include "object_jobs.h"

enum { OBJECT_POINTER_STEPS = 2 };
extern const char *const object_pointer_steps[OBJECT_POINTER_STEPS];

/* Sample of object_jobs.h; context: the struct object_gpu. Allocates buffers of random sizes.
 * `number` 0: is the program's pointer that of the memory on device 0? 1: does the look-up with it
 * give memory on each device? Where memory is, the driver says. */
double object_pointer_sample(struct object_job *job);

#endif
