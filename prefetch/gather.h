/* gather.h: what every rank has after prefetch_run, on rank 0.
 *
 * Collective over MPI_COMM_WORLD, after a run that had it as its world. free() what is returned;
 * NULL on other ranks. Ends the program if MPI fails or there is no memory. */
#ifndef PREFETCH_GATHER_H
#define PREFETCH_GATHER_H

#include <stddef.h>

#include <datamotion/prefetch.h>

/* Of each worker, in order; of each server, in order. */
struct prefetch_counters *sip_gather_workers(const struct prefetch_result *result);
struct prefetch_server_counters *sip_gather_servers(const struct prefetch_result *result);

/* Of all workers, by worker and then in order of time. */
struct prefetch_wait *sip_gather_waits(const struct prefetch_result *result, size_t *count);
struct prefetch_event *sip_gather_events(const struct prefetch_result *result, size_t *count);

#endif
