/* Iterative machine learning. Each iteration measures some of what remains, fits a
 * model to what was measured and prunes what it predicts to be slow.
 * Source: Cui, 5.2.2, algorithm 1. */
#include <math.h>

#include "common/error.h"

#include "learner.h"
#include "search_internal.h"

static enum dm_status iterate(struct learner *learner, struct pool *remaining, bool last)
{
    const struct tuner_search_options *options = learner->options;
    size_t before = remaining->count, first = learner->sample_count;

    TRY(learner_sample(learner, remaining, options->samples));
    size_t pruned = (size_t)round(options->cut_ratio * (double)remaining->count);
    if (last || tuner_search_over(learner->search))
        pruned = 0; /* no samples follow that a model could guide */
    if (pruned > 0) {
        TRY(learner_predict(learner, options->latest_only ? first : 0, remaining));
        learner_prune(learner, remaining, pruned);
    }
    return search_end_iteration(learner->search, before, learner->sample_count - first, pruned,
                                remaining->left);
}

/* What is known from a log is an iteration of its own, before the first. */
static enum dm_status prune_by_known(struct learner *learner, struct pool *remaining)
{
    pool_remove_tried(remaining, learner->search);
    size_t pruned = (size_t)round(learner->options->cut_ratio * (double)remaining->count);

    if (learner->sample_count == 0 || pruned == 0)
        return DM_OK;
    TRY(learner_predict(learner, 0, remaining));
    learner_prune(learner, remaining, pruned);
    return DM_OK;
}

static enum dm_status iterate_all(struct learner *learner, struct pool *remaining)
{
    const long iterations = learner->options->iterations;

    TRY(prune_by_known(learner, remaining));
    for (long i = 1; remaining->count > 0 && !tuner_search_over(learner->search); i++) {
        TRY(iterate(learner, remaining, i == iterations));
        if (i == iterations)
            break;
    }
    return DM_OK;
}

static enum dm_status run(struct tuner_search *search)
{
    const struct tuner_search_options *options = tuner_search_options(search);
    struct learner learner;
    struct pool remaining; /* neither measured nor pruned */

    if (!(options->cut_ratio > 0.0 && options->cut_ratio < 1.0))
        return dm_fail(DM_INVALID, "a cut ratio of %g: it must be between 0 and 1",
                       options->cut_ratio);
    TRY(learner_open(&learner, search, &strategy_iterml));
    enum dm_status status = pool_open(&remaining, search);
    if (status == DM_OK)
        status = iterate_all(&learner, &remaining);
    pool_close(&remaining);
    learner_close(&learner);
    return status;
}

const struct tuner_strategy strategy_iterml = {
    .name = "iterml",
    .meaning = "measures samples, fits a model to them, prunes what it predicts to be slow, and so "
               "on with what remains",
    .learns = true,
    .run = run,
};
