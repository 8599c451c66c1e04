/* search_internal.h: what strategies and the search tell one another. */
#ifndef TUNER_SEARCH_INTERNAL_H
#define TUNER_SEARCH_INTERNAL_H

#include <datamotion/tuner.h>

/* The configuration of trial number `place` (from 0), in the order in which they became known;
 * those recalled from a log are the first. */
size_t search_known(const struct tuner_search *search, size_t place);

/* Adds time of fitting and predicting. */
void search_add_model_time(struct tuner_search *search, double seconds);

/* Announces what will probably be tried next. Any status of expect. */
enum dm_status search_expect(struct tuner_search *search, const size_t *configurations,
                             size_t count);

/* Announces the end of an iteration, which left `remaining`. Any status of after_iteration. */
enum dm_status search_end_iteration(struct tuner_search *search, size_t remaining_before,
                                    size_t sampled, size_t pruned, const uint32_t *remaining);

#endif
