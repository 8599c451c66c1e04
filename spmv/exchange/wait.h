/* wait.h: waiting for other ranks, and never for ever; agreeing with them. */
#ifndef SPMV_EXCHANGE_WAIT_H
#define SPMV_EXCHANGE_WAIT_H

#include <mpi.h>

#include "common/error.h"

/* While a matrix is set up another rank may still read it from a file, s. */
#define SPMV_SETUP_LIMIT_S 600.0

/* Waits until all requests are done. DM_TIMEOUT: that took longer than limit_s; the sentence says
 * what was waited for, and from which rank (of the communicator): peers[i] belongs to requests[i];
 * NULL: all ranks take part in each. After an error MPI may still use the buffers. */
enum dm_status spmv_wait(MPI_Request *requests, const int *peers, int count, double limit_s,
                         const char *what);

/* DM_OK if all ranks say so. If not, each gets the status and the sentence of the first that does
 * not. Collective. */
enum dm_status spmv_all_agree(enum dm_status mine, MPI_Comm communicator);

#endif
