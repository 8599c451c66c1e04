/* wait.h: waiting without hanging.
 *
 *     struct wait wait = wait_start("SYNC ALL");
 *     while (!come())
 *         TRY(wait_turn(&wait));
 *
 * A turn spins for a while, then yields the core (at once if the node has more images than cores),
 * and between nodes lets messages and MPI progress. */
#ifndef COARRAYS_CAF_WAIT_H
#define COARRAYS_CAF_WAIT_H

#include <stdint.h>

struct wait {
    const char *statement;
    uint64_t turns;
    double started_s, waited_s; /* as far as the clock was read */
};

struct wait wait_start(const char *statement);

/* DM_OK, or DM_TIMEOUT with a sentence. */
enum dm_status wait_turn(struct wait *wait);

#endif
