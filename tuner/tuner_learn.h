/* tuner_learn.h: what strategies with a model have in common: samples, their targets, predictions.
 * For strategies only. */
#ifndef TUNER_LEARN_H
#define TUNER_LEARN_H

#include "tuner_strategies.h"

struct tuner_learner {
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

/* Ends the program with a sentence if the options name no model or no samples per iteration. */
void tuner_learner_open(struct tuner_learner *learner, struct tuner_search *search,
                        const struct tuner_strategy *strategy);
void tuner_learner_close(struct tuner_learner *learner);

/* Measures up to `count` configurations that are drawn at random from the list, which loses them;
 * fewer if it or the search ends before. */
void tuner_learner_sample(struct tuner_learner *learner, struct tuner_pool *list, size_t count);

/* Fits the model to the samples from number `first` on, and fills predictions for the list: the
 * higher, the better; 1 would be as good as the best sample. */
void tuner_learner_predict(struct tuner_learner *learner, size_t first,
                           const struct tuner_pool *list);

/* Removes the `count` lowest predictions from the list that was predicted. Among equal ones at the
 * border chance decides, as trees predict the same for many and their order says nothing. */
void tuner_learner_prune(struct tuner_learner *learner, struct tuner_pool *list, size_t count);

#endif
