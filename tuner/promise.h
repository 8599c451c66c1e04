/* promise.h: what a model of the times so far expects to be good: candidates beside the best ones
 * and anywhere, and from the most promising of them step by step uphill. */
#ifndef TUNER_PROMISE_H
#define TUNER_PROMISE_H

#include <datamotion/tuner.h>

#include "encoding.h"

struct promise;

/* The search must outlive it. DM_NO_MEMORY. */
enum dm_status promise_open(struct promise **promise, struct tuner_search *search);
void promise_close(struct promise *promise);

/* How configurations are described. */
const struct encoding *promise_encoding(const struct promise *promise);

/* The best configurations that are known, the best first. */
struct promise_elites {
    const uint32_t *configurations;
    size_t count;    /* >= 1 */
    double evenness; /* from 0 to 1: how little it matters which of them is the best */
};

/* One of them at random: the better, the likelier. */
size_t promise_draw_elite(struct tuner_search *search, const struct promise_elites *elites);

/* The most promising one that was not tried; false if there is none. The model learns every few
 * trials. DM_NO_MEMORY, or any status of the search's expect. */
enum dm_status promise_next(struct promise *promise, const struct promise_elites *elites,
                            size_t *next, bool *found);

#endif
