/* gather.h: what every rank has after sip_run, on rank 0.
 *
 * Collective over MPI_COMM_WORLD, after a run that had it as its world. free() what is returned;
 * NULL on other ranks. Ends the program if MPI fails or there is no memory. */
#ifndef PREFETCH_SIP_GATHER_H
#define PREFETCH_SIP_GATHER_H

#include <stddef.h>

#include "prefetch/sip/sip.h"

/* Of each worker, in order; of each server, in order. */
struct sip_counters *sip_gather_workers(const struct sip_result *result);
struct server_counters *sip_gather_servers(const struct sip_result *result);

/* Of all workers, by worker and then in order of time. */
struct sip_wait *sip_gather_waits(const struct sip_result *result, size_t *count);
struct sip_event *sip_gather_events(const struct sip_result *result, size_t *count);

#endif
