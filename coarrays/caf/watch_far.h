/* watch_far.h: which processes of images on other nodes still run. One that ends without a word has
 * failed; seen in milliseconds, and a host that is gone in less than a second. */
#ifndef COARRAYS_CAF_WATCH_FAR_H
#define COARRAYS_CAF_WATCH_FAR_H

#include <stdbool.h>

#include <datamotion/status.h>

/* Collective over all images, by MPI. */
enum dm_status watch_far_start(void);
void watch_far_end(void);

/* Whether its process has ended, in whatever way. */
bool watch_far_is_gone(int image);

/* Whether one has ended without caf_end. */
bool watch_far_found_dead(void);

/* Tells the others that all are about to be ended, which no image is to take for failures. */
void watch_far_say_ending(void);

#endif
