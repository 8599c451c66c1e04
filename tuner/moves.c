/* Random configurations, anywhere or beside another. */
#include <stdlib.h>

#include "common/error.h"

#include "allocate.h"
#include "strategies.h"

enum dm_status pool_open(struct pool *pool, const struct tuner_search *search)
{
    pool->count = tuner_space_size(tuner_search_options(search)->space);
    pool->left = allocate(pool->count, sizeof *pool->left);
    if (!pool->left)
        return DM_NO_MEMORY;
    for (size_t i = 0; i < pool->count; i++)
        pool->left[i] = (uint32_t)i;
    return DM_OK;
}

void pool_close(struct pool *pool)
{
    free(pool->left);
}

void pool_remove_tried(struct pool *pool, const struct tuner_search *search)
{
    size_t kept = 0;

    for (size_t i = 0; i < pool->count; i++)
        if (!tuner_search_tried(search, pool->left[i], NULL))
            pool->left[kept++] = pool->left[i];
    pool->count = kept;
}

size_t pool_draw(struct pool *pool, struct tuner_search *search)
{
    size_t at = tuner_search_random(search, pool->count);
    uint32_t configuration = pool->left[at];
    pool->left[at] = pool->left[--pool->count];
    return configuration;
}

bool pool_draw_untried(struct pool *pool, struct tuner_search *search, size_t *configuration)
{
    while (pool->count > 0) {
        *configuration = pool_draw(pool, search);
        if (!tuner_search_tried(search, *configuration, NULL))
            return true;
    }
    return false;
}

enum dm_status search_with_restarts(struct tuner_search *search,
                                    enum dm_status (*search_from)(struct tuner_search *search,
                                                                  size_t start))
{
    const struct tuner_progress *known = tuner_search_progress(search);
    struct pool pool;
    size_t start;

    TRY(pool_open(&pool, search));
    enum dm_status status = DM_OK;
    if (known->found)
        status = search_from(search, known->best);
    while (status == DM_OK && !tuner_search_over(search) &&
           pool_draw_untried(&pool, search, &start))
        status = search_from(search, start);
    pool_close(&pool);
    return status;
}

void indices_of(const struct tuner_space *space, size_t configuration, size_t *indices)
{
    for (size_t d = 0; d < tuner_space_dimensions(space); d++)
        indices[d] = tuner_space_index(space, configuration, d);
}

bool move(struct tuner_search *search, size_t configuration, size_t dimension, size_t *moved)
{
    const struct tuner_space *space = tuner_search_options(search)->space;
    size_t indices[TUNER_PARAMETERS_MAX];

    indices_of(space, configuration, indices);
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
