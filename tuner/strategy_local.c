/* Iterated local search. A descent tries neighbours, which differ in one parameter,
 * and goes to the first that is faster. When it finds none, some parameters change at random and
 * the next descent begins. */
#include "common/error.h"

#include "strategies.h"

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
    move(search, configuration, tuner_search_random(search, dimensions), &configuration);
    return configuration;
}

/* *place: where to start, then where it ended. */
static enum dm_status descend(struct tuner_search *search, struct place *place)
{
    TRY(tuner_search_try(search, place->configuration, &place->time_s));
    for (int failures = 0; failures < PATIENCE && !tuner_search_over(search);) {
        struct place next = {.configuration = neighbour(search, place->configuration)};
        TRY(tuner_search_try(search, next.configuration, &next.time_s));
        failures++;
        if (next.time_s < place->time_s) {
            *place = next;
            failures = 0;
        }
    }
    return DM_OK;
}

/* Two changes: one alone would only lead back. */
static enum dm_status iterate(struct tuner_search *search, size_t start)
{
    struct place best = {.configuration = start};

    TRY(descend(search, &best));
    for (int failures = 0; failures < DESCENTS && !tuner_search_over(search);) {
        struct place aside = {.configuration =
                                  neighbour(search, neighbour(search, best.configuration))};
        TRY(descend(search, &aside));
        failures++;
        if (aside.time_s < best.time_s) {
            best = aside;
            failures = 0;
        }
    }
    return DM_OK;
}

static enum dm_status run(struct tuner_search *search)
{
    return search_with_restarts(search, iterate);
}

const struct tuner_strategy strategy_local = {
    .name = "local",
    .meaning = "iterated local search: to the first faster neighbour by one parameter, two random "
               "changes after 30 neighbours without gain, a new start after 4 descents without",
    .run = run,
};
