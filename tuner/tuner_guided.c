/* tuner_guided.c: a model guides each sample. After a first random batch, a batch consists of what
 * the model predicts to be best, of what it predicts to be best beside the best sample, and of some
 * random ones. IterML draws at random from the half that is left; here nothing is pruned, and the
 * model also learns how often a number can be halved. Not in the thesis. */
#include "tuner_learn.h"

#include <string.h>

/* Of five in a batch two are predicted to be best, two so among the neighbours of the best sample,
 * and one is drawn at random, lest a part of the space be never seen. */
enum { TURNS = 5, ANYWHERE = 2, BESIDE = 2 };

static void remove_tried(struct tuner_pool *pool, const struct tuner_search *search)
{
    size_t kept = 0;

    for (size_t i = 0; i < pool->count; i++)
        if (!tuner_search_tried(search, pool->left[i], NULL))
            pool->left[kept++] = pool->left[i];
    pool->count = kept;
}

/* Whether they differ in one parameter only. */
static bool are_neighbours(const struct tuner_space *space, size_t a, size_t b)
{
    size_t different = 0;

    for (size_t d = 0; d < tuner_space_dimensions(space); d++)
        different += tuner_space_index(space, a, d) != tuner_space_index(space, b, d);
    return different == 1;
}

static void keep_neighbours(struct tuner_pool *pool, const struct tuner_search *search)
{
    const struct tuner_space *space = tuner_search_options(search)->space;
    size_t best = tuner_search_progress(search)->best, kept = 0;

    for (size_t i = 0; i < pool->count; i++)
        if (are_neighbours(space, pool->left[i], best))
            pool->left[kept++] = pool->left[i];
    pool->count = kept;
}

/* Measures the `count` best predicted of the remaining ones, or of those beside the best. */
static void sample_best(struct tuner_learner *learner, struct tuner_pool *remaining,
                        struct tuner_pool *candidates, size_t count, bool beside)
{
    if (count == 0)
        return;
    memcpy(candidates->left, remaining->left, remaining->count * sizeof *remaining->left);
    candidates->count = remaining->count;
    if (beside)
        keep_neighbours(candidates, learner->search);
    if (count < candidates->count) {
        tuner_learner_predict(learner, 0, candidates);
        tuner_learner_prune(learner, candidates, candidates->count - count);
    }
    tuner_learner_sample(learner, candidates, count);
    remove_tried(remaining, learner->search);
}

/* Takes turns from sample to sample, so that batches of one have their share of each kind, too. */
static void iterate(struct tuner_learner *learner, struct tuner_pool *remaining,
                    struct tuner_pool *candidates)
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
    sample_best(learner, remaining, candidates, anywhere, false);
    if (tuner_search_progress(learner->search)->found)
        sample_best(learner, remaining, candidates, beside, true);
    if (learner->sample_count == before)
        random++; /* the best one has no neighbours left: go on elsewhere */
    tuner_learner_sample(learner, remaining, random);
}

static void run(struct tuner_search *search)
{
    size_t samples = tuner_search_options(search)->samples;
    struct tuner_learner learner;
    struct tuner_pool remaining, candidates;

    tuner_learner_open(&learner, search, &tuner_guided_strategy);
    tuner_pool_open(&remaining, search);
    tuner_pool_open(&candidates, search);
    tuner_learner_sample(&learner, &remaining, samples);
    while (remaining.count > 0 && !tuner_search_over(search))
        iterate(&learner, &remaining, &candidates);
    tuner_pool_close(&candidates);
    tuner_pool_close(&remaining);
    tuner_learner_close(&learner);
}

const struct tuner_strategy tuner_guided_strategy = {
    .name = "guided",
    .meaning = "measures samples, then of each five two that a model predicts to be best, two that "
               "it predicts to be best beside the best one, and one at random",
    .learns = true,
    .aligned = true,
    .run = run,
};
