/* agree.h: what all images must do alike is done by none if one cannot.
 *
 * Collective over the current team. Between the sync that begins a collective statement and these
 * calls no image can stop, so plain MPI collectives cannot hang. On one node, and with a conduit
 * that goes on without failed images, it is done without MPI by those that are left. */
#ifndef COARRAYS_CAF_AGREE_H
#define COARRAYS_CAF_AGREE_H

#include <stdbool.h>
#include <stdint.h>

#include <datamotion/status.h>

/* The status of the lowest image whose `status` is not DM_OK, with that image's sentence, on all
 * images; DM_OK if there is none. Then *same tells whether all have the same `value`. */
enum dm_status agree_same(enum dm_status status, uint64_t value, bool *same);
enum dm_status agree(enum dm_status status);

/* The same among the images of this node. */
enum dm_status agree_on_node(enum dm_status status);

/* Image 1's value. */
enum dm_status agree_first(uint64_t *value);

#endif
