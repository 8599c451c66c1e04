/* learner.h: what strategies with a model have in common: samples, their targets, predictions. */
#ifndef TUNER_LEARNER_H
#define TUNER_LEARNER_H

#include "strategies.h"

struct learner {
    struct tuner_search *search;
    const struct tuner_search_options *options;
    const float *matrix; /* of all configurations */
    float *own_matrix;
    size_t features;
    uint32_t *samples; /* measured, in order */
    size_t sample_count;
    float *predictions; /* of the list that was predicted last */
    float *scratch;     /* as large */
};

/* With what the search knows already as samples. DM_INVALID: the options name no model or no
 * samples per iteration; DM_NO_MEMORY. Then it is closed. */
enum dm_status learner_open(struct learner *learner, struct tuner_search *search,
                            const struct tuner_strategy *strategy);
void learner_close(struct learner *learner);

/* Measures up to `count` configurations that are drawn at random from the list, which loses them;
 * fewer if it or the search ends before. */
enum dm_status learner_sample(struct learner *learner, struct pool *list, size_t count);

/* Fits the model to the samples from number `first` on, and fills predictions for the list: the
 * higher, the better; 1 would be as good as the best sample. */
enum dm_status learner_predict(struct learner *learner, size_t first, const struct pool *list);

/* Removes the `count` lowest predictions from the list that was predicted. Among equal ones at the
 * border chance decides, as trees predict the same for many and their order says nothing. */
void learner_prune(struct learner *learner, struct pool *list, size_t count);

#endif
