/* timeline.h: what schedule.c needs of timeline.c beyond runtime.h; schedule_lock is held around
 * every call. */
#ifndef SOFT_TIMELINE_H
#define SOFT_TIMELINE_H

#include "runtime.h"

struct timeline *timeline_make(void); /* NULL: out of memory */
void timeline_drop(struct timeline *timeline);
void timeline_complete(struct timeline *timeline, uint64_t value);
bool timeline_idle(const struct timeline *timeline);

struct point point_take(struct timeline *timeline, uint64_t value);
void point_wait_locked(struct point *point); /* waits, then drops it */

/* Waits for the engine; the smallest priority goes first, then whoever came first. */
void engine_acquire(struct engine *engine, int priority);
void engine_release(struct engine *engine);

#endif
