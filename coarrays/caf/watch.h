/* watch.h: which images' processes still run: those of this node, and by watch_far.h all others. */
#ifndef COARRAYS_CAF_WATCH_H
#define COARRAYS_CAF_WATCH_H

#include <stdbool.h>

#include <datamotion/status.h>

enum dm_status watch_start(void);
void watch_end(void);

/* Those that have ended without a word have failed. Looks at most once in a millisecond, unless
 * `now`. */
void watch_images(bool now);

/* Whether that image's process has ended, in whatever way, as far as it is watched. */
bool watch_has_ended(int image);

/* Whether a process has ended without caf_end: MPI_Finalize would wait for it. */
bool watch_found_dead(void);

/* Tells all other images that they are about to be ended. */
void watch_say_ending(void);

/* Ends the processes of all other images of this node. */
void watch_kill_others(void);

#endif
