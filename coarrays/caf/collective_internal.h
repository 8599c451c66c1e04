/* collective_internal.h: what the collective subroutines are made of. */
#ifndef COARRAYS_CAF_COLLECTIVE_INTERNAL_H
#define COARRAYS_CAF_COLLECTIVE_INTERNAL_H

#include <mpi.h>

#include "runtime.h"

struct reduction {
    char *data;
    size_t count, element_bytes;
    caf_combine *combine;
    void *context;
    int result_image;
    MPI_Datatype type; /* the same for MPI; MPI_DATATYPE_NULL: combine alone knows */
    MPI_Op operation;
};

enum arithmetic { ARITHMETIC_SUM, ARITHMETIC_MIN, ARITHMETIC_MAX };

/* Sets what depends on type and operation: combine, element_bytes, type, operation, and count,
 * which is that of real and imaginary parts for complex numbers. CAF_BAD_ARGUMENT if there is no
 * such operation on such numbers. */
enum dm_status arithmetic_find(struct reduction *reduction, enum arithmetic operation,
                               enum caf_type type, size_t count);

/* DM_LOST with a sentence that names an image of the team that does not run. */
enum dm_status collective_stopped(void);

/* Sync all, of which the sentence does not speak. */
enum dm_status collective_come_together(void);

/* All images are on one node. */
enum dm_status near_broadcast(char *data, size_t bytes, int source_image);
enum dm_status near_reduce(const struct reduction *reduction);

/* On several, by MPI. */
enum dm_status far_broadcast(char *data, size_t bytes, int source_image);
enum dm_status far_reduce(const struct reduction *reduction);

/* The same without a sync all, for what is short. */
enum dm_status short_broadcast(char *data, size_t bytes, int source_image);
enum dm_status short_reduce(const struct reduction *reduction);

/* On several, by messages. */
enum dm_status tree_broadcast(char *data, size_t bytes, int source_image);
enum dm_status tree_reduce(const struct reduction *reduction);

#endif
