/* watch.h: which processes of this node's images still run. */
#ifndef COARRAYS_CAF_WATCH_H
#define COARRAYS_CAF_WATCH_H

#include <stdbool.h>

#include <datamotion/status.h>

enum dm_status watch_start(void);
void watch_end(void);

/* Those that have ended without a word have failed. Looks at most once in a millisecond, unless
 * `now`. */
void watch_images(bool now);

/* Whether a process has ended without caf_end: MPI_Finalize would wait for it. */
bool watch_found_dead(void);

/* Ends the processes of all other images of this node. */
void watch_kill_others(void);

#endif
