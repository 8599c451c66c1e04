/* conflict.h: which accesses of one block are a mistake of the program.
 *
 * Between two barriers nobody knows in which order two workers come. So a block that one worker
 * puts, no other may put or get until the next barrier; several may add to it, but then none may
 * put it, and only one that was alone may get it. Barriers are counted: the count is the epoch. */
#ifndef PREFETCH_SIP_CONFLICT_H
#define PREFETCH_SIP_CONFLICT_H

#include "prefetch/sip/store.h"

/* Whether the access is a conflict with another worker's; then who and at which statement. */
bool conflict_of_get(const struct store_stamp *stamp, int epoch, int worker, int *other,
                     int *statement);
bool conflict_of_put(const struct store_stamp *stamp, int epoch, int worker, bool add, int *other,
                     int *statement);

/* Notes a put that is none. */
void conflict_note_put(struct store_stamp *stamp, int epoch, int worker, bool add, int statement);

#endif
