/* tuner_moves.c: random configurations, anywhere or beside another. */
#include "tuner_strategies.h"

#include "status.h"

#include <stdlib.h>

void tuner_pool_open(struct tuner_pool *pool, const struct tuner_search *search)
{
    pool->count = tuner_space_size(tuner_search_options(search)->space);
    pool->left = allocate_or_fail(pool->count, sizeof *pool->left);
    for (size_t i = 0; i < pool->count; i++)
        pool->left[i] = (uint32_t)i;
}

void tuner_pool_close(struct tuner_pool *pool)
{
    free(pool->left);
}

size_t tuner_pool_draw(struct tuner_pool *pool, struct tuner_search *search)
{
    size_t at = tuner_search_random(search, pool->count);
    uint32_t configuration = pool->left[at];
    pool->left[at] = pool->left[--pool->count];
    return configuration;
}

bool tuner_pool_draw_untried(struct tuner_pool *pool, struct tuner_search *search,
                             size_t *configuration)
{
    while (pool->count > 0) {
        *configuration = tuner_pool_draw(pool, search);
        if (!tuner_search_tried(search, *configuration, NULL))
            return true;
    }
    return false;
}

void tuner_indices(const struct tuner_space *space, size_t configuration, size_t *indices)
{
    for (size_t d = 0; d < tuner_space_dimensions(space); d++)
        indices[d] = tuner_space_index(space, configuration, d);
}

bool tuner_move(struct tuner_search *search, size_t configuration, size_t dimension, size_t *moved)
{
    const struct tuner_space *space = tuner_search_options(search)->space;
    size_t indices[TUNER_PARAMETERS];

    tuner_indices(space, configuration, indices);
    size_t present = indices[dimension];
    size_t low = 0, high = tuner_space_parameter(space, dimension)->count - 1;
    while (low < high) {
        size_t drawn = low + tuner_search_random(search, high - low);
        drawn += drawn >= present; /* low to high without the present one */
        indices[dimension] = drawn;
        if (tuner_space_find(space, indices, moved))
            return true;
        if (drawn < present)
            low = drawn + 1;
        else
            high = drawn - 1;
    }
    return false;
}
