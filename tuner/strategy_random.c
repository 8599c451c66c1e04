/* Searches that learn nothing: at random, and one after the other. */
#include <string.h>

#include "common/error.h"

#include "search_internal.h"
#include "strategies.h"

enum { AHEAD = 64 }; /* that are announced */

static enum dm_status run_random(struct tuner_search *search)
{
    struct pool pool;
    size_t drawn[AHEAD], count = 0;
    double time_s;

    TRY(pool_open(&pool, search));
    enum dm_status status = DM_OK;
    while (status == DM_OK && !tuner_search_over(search)) {
        while (count < AHEAD && pool_draw_untried(&pool, search, &drawn[count]))
            count++;
        if (count == 0)
            break;
        status = search_expect(search, drawn, count);
        if (status == DM_OK)
            status = tuner_search_try(search, drawn[0], &time_s);
        memmove(drawn, drawn + 1, --count * sizeof *drawn);
    }
    pool_close(&pool);
    return status;
}

static enum dm_status run_exhaustive(struct tuner_search *search)
{
    size_t size = tuner_space_size(tuner_search_options(search)->space);
    double time_s;

    for (size_t i = 0; i < size && !tuner_search_over(search); i++) {
        for (size_t next = i; next < size && next < i + AHEAD; next++)
            TRY(search_expect(search, &next, 1));
        TRY(tuner_search_try(search, i, &time_s));
    }
    return DM_OK;
}

const struct tuner_strategy strategy_random = {
    .name = "random",
    .meaning = "samples without replacement, no model",
    .run = run_random,
};

const struct tuner_strategy strategy_exhaustive = {
    .name = "exhaustive",
    .meaning = "all configurations in order",
    .run = run_exhaustive,
};
