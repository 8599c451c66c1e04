/* spmv_wait.h: waiting for other ranks, and never for ever; agreeing with them. */
#ifndef SPMV_SPMV_WAIT_H
#define SPMV_SPMV_WAIT_H

#include <mpi.h>

#include "sparse.h"

/* While a matrix is set up another rank may still read it from a file, s. */
#define SPMV_SETUP_LIMIT_S 600.0

/* Waits until all requests are done. If that takes longer than limit_s, the program ends with a
 * sentence that says what was waited for, and from which rank (of the communicator): peers[i]
 * belongs to requests[i]; NULL: all ranks take part in each. */
void spmv_wait(MPI_Request *requests, const int *peers, int count, double limit_s,
               const char *what);

/* Whether all ranks say yes. If not, each gets the sentence of the first that does not. Collective.
 */
bool spmv_all_agree(bool yes, MPI_Comm communicator, struct sparse_error *error);

#endif
