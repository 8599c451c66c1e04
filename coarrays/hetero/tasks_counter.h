/* tasks_counter.h: a 32-bit number on image 1 that all images add to, in a coarray or in an MPI
 * window. A status is that of the call of MPI or the coarray library that failed. */
#ifndef COARRAYS_HETERO_TASKS_COUNTER_H
#define COARRAYS_HETERO_TASKS_COUNTER_H

#include <stdbool.h>
#include <stdint.h>
#include <mpi.h>

#include <datamotion/coarrays.h>

struct tasks_counter {
    struct caf_coarray *coarray; /* NULL: in the window */
    MPI_Win window;
    int32_t *memory; /* this image's part of either */
};

/* Collective, 0 at first; any image may add when it has returned. */
enum dm_status tasks_counter_open(struct tasks_counter *counter, bool in_coarray);
void tasks_counter_close(struct tasks_counter *counter);

/* Makes it 0. By one image, while none adds. */
enum dm_status tasks_counter_reset(const struct tasks_counter *counter);

/* Atomically adds on image 1; *old is what was there before. 0 reads. Numbers wrap around. In a
 * window it is MPI_Fetch_and_op and MPI_Win_flush. */
enum dm_status tasks_counter_add(const struct tasks_counter *counter, int32_t value, uint32_t *old);

#endif
