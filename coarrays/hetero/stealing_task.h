/* stealing_task.h: what a task of stealing.h computes. */
#ifndef COARRAYS_HETERO_STEALING_TASK_H
#define COARRAYS_HETERO_STEALING_TASK_H

#include <stddef.h>
#include <stdint.h>

/* The sum, modulo 2^64, over steps begin .. end - 1 of a hash of the step and a number of the data,
 * which are read cyclically. Ranges can be summed in any order, so that the result does not
 * depend on threads. */
uint64_t stealing_sum(const uint64_t *data, size_t count, int64_t begin, int64_t end);

/* The same over 0 .. steps - 1 with OpenMP's number of threads; *threads is how many took part. */
uint64_t stealing_compute(const uint64_t *data, size_t count, int64_t steps, int *threads);

#endif
