/* tuner_random.c: searches that learn nothing: at random, and one after the other. */
#include "tuner_strategies.h"

static void run_random(struct tuner_search *search)
{
    struct tuner_pool pool;

    tuner_pool_open(&pool, search);
    while (pool.count > 0 && !tuner_search_over(search))
        tuner_search_try(search, tuner_pool_draw(&pool, search));
    tuner_pool_close(&pool);
}

static void run_exhaustive(struct tuner_search *search)
{
    size_t size = tuner_space_size(tuner_search_options(search)->space);

    for (size_t i = 0; i < size && !tuner_search_over(search); i++)
        tuner_search_try(search, i);
}

const struct tuner_strategy tuner_random_strategy = {
    .name = "random",
    .meaning = "samples without replacement, no model",
    .run = run_random,
};

const struct tuner_strategy tuner_exhaustive_strategy = {
    .name = "exhaustive",
    .meaning = "all configurations in order",
    .run = run_exhaustive,
};
