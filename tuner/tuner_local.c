/* tuner_local.c: iterated local search. A descent tries neighbours, which differ in one parameter,
 * and goes to the first that is faster. When it finds none, some parameters change at random and
 * the next descent begins. */
#include "tuner_strategies.h"

enum {
    /* Neighbours in a row without gain that end a descent: all of them would be a budget of their
     * own where a parameter has a thousand values. */
    PATIENCE = 30,
    DESCENTS = 4 /* in a row without gain, until a new start */
};

struct place {
    size_t configuration;
    double time_s;
};

/* The configuration itself if it has none in the parameter that chance names. */
static size_t neighbour(struct tuner_search *search, size_t configuration)
{
    size_t dimensions = tuner_space_dimensions(tuner_search_options(search)->space);
    tuner_move(search, configuration, tuner_search_random(search, dimensions), &configuration);
    return configuration;
}

static struct place descend(struct tuner_search *search, size_t start)
{
    struct place present = {start, tuner_search_try(search, start)};

    for (int failures = 0; failures < PATIENCE && !tuner_search_over(search);) {
        size_t next = neighbour(search, present.configuration);
        double next_s = tuner_search_try(search, next);
        failures++;
        if (next_s < present.time_s) {
            present = (struct place){next, next_s};
            failures = 0;
        }
    }
    return present;
}

/* Two changes: one alone would only lead back. */
static void iterate(struct tuner_search *search, size_t start)
{
    struct place best = descend(search, start);

    for (int failures = 0; failures < DESCENTS && !tuner_search_over(search);) {
        size_t aside = neighbour(search, neighbour(search, best.configuration));
        struct place present = descend(search, aside);
        failures++;
        if (present.time_s < best.time_s) {
            best = present;
            failures = 0;
        }
    }
}

static void run(struct tuner_search *search)
{
    struct tuner_pool pool;
    size_t start;

    tuner_pool_open(&pool, search);
    while (!tuner_search_over(search) && tuner_pool_draw_untried(&pool, search, &start))
        iterate(search, start);
    tuner_pool_close(&pool);
}

const struct tuner_strategy tuner_local_strategy = {
    .name = "local",
    .meaning = "iterated local search: to the first faster neighbour by one parameter, two random "
               "changes after 30 neighbours without gain, a new start after 4 descents without",
    .run = run,
};
