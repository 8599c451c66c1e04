/* messages_mpi.h: the messages of the conduit mpi, as conduit.h demands of them. */
#ifndef COARRAYS_CAF_MESSAGES_MPI_H
#define COARRAYS_CAF_MESSAGES_MPI_H

#include "messages.h"

enum dm_status messages_mpi_start(void);
enum dm_status messages_mpi_send(int image, enum message_kind kind, const void *body, size_t bytes);
enum dm_status messages_mpi_progress(bool *found);
bool messages_mpi_have_left(void); /* all that were sent */
enum dm_status messages_mpi_settle(void);

#endif
