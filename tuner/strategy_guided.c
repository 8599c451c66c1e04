/* A model guides each sample. After a first random batch, a batch consists of what
 * the model predicts to be best, of what it predicts to be best beside the best sample, and of some
 * random ones. IterML draws at random from the half that is left; here nothing is pruned, and the
 * model also learns how often a number can be halved. Not in the thesis. */
#include <string.h>

#include "common/error.h"

#include "learner.h"

/* Of five in a batch two are predicted to be best, two so among the neighbours of the best sample,
 * and one is drawn at random, lest a part of the space be never seen. */
enum { TURNS = 5, ANYWHERE = 2, BESIDE = 2 };

/* Whether they differ in one parameter only. */
static bool are_neighbours(const struct tuner_space *space, size_t a, size_t b)
{
    size_t different = 0;

    for (size_t d = 0; d < tuner_space_dimensions(space); d++)
        different += tuner_space_index(space, a, d) != tuner_space_index(space, b, d);
    return different == 1;
}

static void keep_neighbours(struct pool *pool, const struct tuner_search *search)
{
    const struct tuner_space *space = tuner_search_options(search)->space;
    size_t best = tuner_search_progress(search)->best, kept = 0;

    for (size_t i = 0; i < pool->count; i++)
        if (are_neighbours(space, pool->left[i], best))
            pool->left[kept++] = pool->left[i];
    pool->count = kept;
}

/* Measures the `count` best predicted of the remaining ones, or of those beside the best. */
static enum dm_status sample_best(struct learner *learner, struct pool *remaining,
                                  struct pool *candidates, size_t count, bool beside)
{
    if (count == 0)
        return DM_OK;
    memcpy(candidates->left, remaining->left, remaining->count * sizeof *remaining->left);
    candidates->count = remaining->count;
    if (beside)
        keep_neighbours(candidates, learner->search);
    if (count < candidates->count) {
        TRY(learner_predict(learner, 0, candidates));
        learner_prune(learner, candidates, candidates->count - count);
    }
    TRY(learner_sample(learner, candidates, count));
    pool_remove_tried(remaining, learner->search);
    return DM_OK;
}

/* The kinds alternate from sample to sample, so that batches of one have their share of each, too.
 */
static enum dm_status iterate(struct learner *learner, struct pool *remaining,
                              struct pool *candidates)
{
    size_t anywhere = 0, beside = 0, random = 0;

    for (size_t i = 0; i < learner->options->samples; i++) {
        size_t turn = (learner->sample_count + i) % TURNS;
        if (turn < ANYWHERE)
            anywhere++;
        else if (turn < ANYWHERE + BESIDE)
            beside++;
        else
            random++;
    }
    size_t before = learner->sample_count;
    TRY(sample_best(learner, remaining, candidates, anywhere, false));
    if (tuner_search_progress(learner->search)->found)
        TRY(sample_best(learner, remaining, candidates, beside, true));
    if (learner->sample_count == before)
        random++; /* the best one has no neighbours left: go on elsewhere */
    return learner_sample(learner, remaining, random);
}

static enum dm_status iterate_all(struct learner *learner, struct pool *remaining,
                                  struct pool *candidates)
{
    const size_t first = learner->options->samples, known = learner->sample_count;

    pool_remove_tried(remaining, learner->search);
    if (known < first)
        TRY(learner_sample(learner, remaining, first - known));
    while (remaining->count > 0 && !tuner_search_over(learner->search))
        TRY(iterate(learner, remaining, candidates));
    return DM_OK;
}

static enum dm_status run(struct tuner_search *search)
{
    struct learner learner;
    struct pool remaining = {0}, candidates = {0};

    TRY(learner_open(&learner, search, &strategy_guided));
    enum dm_status status = pool_open(&remaining, search);
    if (status == DM_OK)
        status = pool_open(&candidates, search);
    if (status == DM_OK)
        status = iterate_all(&learner, &remaining, &candidates);
    pool_close(&candidates);
    pool_close(&remaining);
    learner_close(&learner);
    return status;
}

const struct tuner_strategy strategy_guided = {
    .name = "guided",
    .meaning = "measures samples, then of each five two that a model predicts to be best, two that "
               "it predicts to be best beside the best one, and one at random",
    .learns = true,
    .aligned = true,
    .run = run,
};
