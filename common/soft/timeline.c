/* timeline.c: timelines, points on them, and engines. schedule_lock guards them all: it is held
 * around every call but point_wait. */
#include "timeline.h"

#include <stdlib.h>

struct engine_waiter {
    struct engine_waiter *next;
    int priority;
    bool granted;
    pthread_cond_t grant;
};

pthread_mutex_t schedule_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- timelines and points ---- */

struct timeline *timeline_make(void)
{
    struct timeline *timeline = calloc(1, sizeof *timeline);
    if (timeline) {
        timeline->references = 1;
        pthread_cond_init(&timeline->progress, NULL);
    }
    return timeline;
}

void timeline_drop(struct timeline *timeline)
{
    if (--timeline->references == 0) {
        pthread_cond_destroy(&timeline->progress);
        free(timeline);
    }
}

void timeline_complete(struct timeline *timeline, uint64_t value)
{
    if (timeline->completed < value)
        timeline->completed = value;
    pthread_cond_broadcast(&timeline->progress);
}

bool timeline_idle(const struct timeline *timeline)
{
    return timeline->completed == timeline->submitted;
}

struct point point_take(struct timeline *timeline, uint64_t value)
{
    timeline->references++;
    return (struct point){timeline, value};
}

struct point point_last(const stream_t *stream)
{
    return point_take(stream->timeline, stream->timeline->submitted);
}

bool point_reached(const struct point *point)
{
    return point->timeline->completed >= point->value;
}

void point_drop(struct point *point)
{
    timeline_drop(point->timeline);
    point->timeline = NULL;
}

void point_wait_locked(struct point *point)
{
    while (!point_reached(point))
        pthread_cond_wait(&point->timeline->progress, &schedule_lock);
    point_drop(point);
}

void point_wait(struct point *point)
{
    pthread_mutex_lock(&schedule_lock);
    point_wait_locked(point);
    pthread_mutex_unlock(&schedule_lock);
}

/* ---- engines ---- */

void engine_acquire(struct engine *engine, int priority)
{
    if (!engine->busy) {
        engine->busy = true;
        return;
    }
    struct engine_waiter self = {.priority = priority};
    struct engine_waiter **place = &engine->first;

    while (*place && (*place)->priority <= priority)
        place = &(*place)->next;
    self.next = *place;
    *place = &self;
    pthread_cond_init(&self.grant, NULL);
    while (!self.granted)
        pthread_cond_wait(&self.grant, &schedule_lock);
    pthread_cond_destroy(&self.grant);
}

void engine_release(struct engine *engine)
{
    struct engine_waiter *next = engine->first;

    if (!next) {
        engine->busy = false;
        return;
    }
    engine->first = next->next;
    next->granted = true;
    pthread_cond_signal(&next->grant);
}
