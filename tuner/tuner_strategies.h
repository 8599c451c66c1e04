/* tuner_strategies.h: what the strategies have in common, and their table's entries. For
 * strategies only; callers include tuner_search.h. */
#ifndef TUNER_STRATEGIES_H
#define TUNER_STRATEGIES_H

#include "tuner_search.h"

extern const struct tuner_strategy tuner_random_strategy, tuner_iterml_strategy,
    tuner_exhaustive_strategy, tuner_annealing_strategy, tuner_genetic_strategy,
    tuner_local_strategy, tuner_guided_strategy;

/* Configurations to draw from, each once. */
struct tuner_pool {
    uint32_t *left;
    size_t count;
};

/* All configurations of the search's space. Ends the program if there is no memory. */
void tuner_pool_open(struct tuner_pool *pool, const struct tuner_search *search);
void tuner_pool_close(struct tuner_pool *pool);

/* Takes one at random; the pool must not be empty. */
size_t tuner_pool_draw(struct tuner_pool *pool, struct tuner_search *search);

/* Takes one at random that was not tried so far; false if there is none left. */
bool tuner_pool_draw_untried(struct tuner_pool *pool, struct tuner_search *search,
                             size_t *configuration);

/* The indices of a configuration's values, one per parameter. */
void tuner_indices(const struct tuner_space *space, size_t configuration, size_t *indices);

/* A configuration that differs in `dimension` only, at random; false if none was found. First all
 * values are as likely; each one that constraints forbid then bounds the further draws, so that
 * few draws suffice where only values near the present one are allowed. */
bool tuner_move(struct tuner_search *search, size_t configuration, size_t dimension, size_t *moved);

#endif
