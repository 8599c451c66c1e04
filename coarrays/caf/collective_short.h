/* collective_short.h: what a team keeps for its short collectives between nodes, where MPI is the
 * conduit (collective_short.c), and what images tell of them at their end. */
#ifndef COARRAYS_CAF_COLLECTIVE_SHORT_H
#define COARRAYS_CAF_COLLECTIVE_SHORT_H

#include <stdint.h>

#include <datamotion/status.h>

struct shorts {
    uint64_t *done;        /* done[index]: how many, of an image of another node that has ended */
    enum dm_status failed; /* of one that this image left unfinished */
};

void shorts_start(void);

/* Tells images of other nodes how many this one has done in each of its teams. Before the message
 * that it has ended. */
enum dm_status shorts_tell(void);

#endif
