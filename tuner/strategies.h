/* strategies.h: the strategies, one file each, and what they have in common. */
#ifndef TUNER_STRATEGIES_H
#define TUNER_STRATEGIES_H

#include <datamotion/tuner.h>

extern const struct tuner_strategy strategy_random, strategy_iterml, strategy_exhaustive,
    strategy_annealing, strategy_genetic, strategy_local, strategy_guided, strategy_auto;

/* Configurations to draw from, each once. */
struct pool {
    uint32_t *left;
    size_t count;
};

/* All configurations of the search's space. DM_NO_MEMORY: then it is closed. */
enum dm_status pool_open(struct pool *pool, const struct tuner_search *search);
void pool_close(struct pool *pool);

/* Takes out those that were tried. */
void pool_remove_tried(struct pool *pool, const struct tuner_search *search);

/* Takes one at random; the pool must not be empty. */
size_t pool_draw(struct pool *pool, struct tuner_search *search);

/* Takes one at random that was not tried so far; false if there is none left. */
bool pool_draw_untried(struct pool *pool, struct tuner_search *search, size_t *configuration);

/* Searches from the best one that is known, if one is, then from a random configuration that was
 * not tried, and from another one, until the search is over or none is left. */
enum dm_status search_with_restarts(struct tuner_search *search,
                                    enum dm_status (*search_from)(struct tuner_search *search,
                                                                  size_t start));

/* The indices of a configuration's values, one per parameter. */
void indices_of(const struct tuner_space *space, size_t configuration, size_t *indices);

/* A configuration that differs in `dimension` only, at random; false if none was found. First all
 * values are as likely; each one that constraints forbid then bounds the further draws, so that few
 * draws suffice where only values near the present one are allowed. */
bool move(struct tuner_search *search, size_t configuration, size_t dimension, size_t *moved);

#endif
