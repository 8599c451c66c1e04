/* tuner_iterml.c: iterative machine learning. Each iteration measures some of what remains, fits a
 * model to what was measured and prunes what it predicts to be slow.
 * Source: Cui, 5.2.2, algorithm 1. */
#include "tuner_learn.h"

#include "status.h"

#include <math.h>

static void iterate(struct tuner_learner *learner, struct tuner_pool *remaining, bool last)
{
    const struct tuner_search_options *options = learner->options;
    size_t before = remaining->count, first = learner->sample_count;

    tuner_learner_sample(learner, remaining, options->samples);
    size_t pruned = (size_t)round(options->cut_ratio * (double)remaining->count);
    if (last || tuner_search_over(learner->search))
        pruned = 0; /* no samples follow that a model could guide */
    if (pruned > 0) {
        tuner_learner_predict(learner, options->latest_only ? first : 0, remaining);
        tuner_learner_prune(learner, remaining, pruned);
    }
    tuner_search_end_iteration(learner->search, before, learner->sample_count - first, pruned,
                               remaining->left);
}

static void run(struct tuner_search *search)
{
    const struct tuner_search_options *options = tuner_search_options(search);
    struct tuner_learner learner;
    struct tuner_pool remaining; /* neither measured nor pruned */

    if (!(options->cut_ratio > 0.0 && options->cut_ratio < 1.0))
        fail("a cut ratio of %g: it is between 0 and 1", options->cut_ratio);
    tuner_learner_open(&learner, search, &tuner_iterml_strategy);
    tuner_pool_open(&remaining, search);
    for (long i = 1; remaining.count > 0 && !tuner_search_over(search); i++) {
        iterate(&learner, &remaining, i == options->iterations);
        if (i == options->iterations)
            break;
    }
    tuner_pool_close(&remaining);
    tuner_learner_close(&learner);
}

const struct tuner_strategy tuner_iterml_strategy = {
    .name = "iterml",
    .meaning = "measures samples, fits a model to them, prunes what it predicts to be slow, and so "
               "on with what remains",
    .learns = true,
    .run = run,
};
