/* A genetic algorithm. */
#include "common/error.h"

#include "search_internal.h"
#include "strategies.h"

enum {
    POPULATION = 20,
    TOURNAMENT = 3,
    ATTEMPTS = 10 /* to breed a child that was not tried yet */
};

struct individual {
    size_t configuration;
    double time_s;
};

struct genetic {
    struct tuner_search *search;
    const struct tuner_space *space;
    struct pool pool;
    struct individual members[2 * POPULATION]; /* the population, then its children */
    size_t count;
};

/* Slower ones to the end; of equals, the older ones stay first. */
static void sort_members(struct genetic *genetic)
{
    for (size_t i = 1; i < genetic->count; i++) {
        struct individual placed = genetic->members[i];
        size_t at = i;
        for (; at > 0 && genetic->members[at - 1].time_s > placed.time_s; at--)
            genetic->members[at] = genetic->members[at - 1];
        genetic->members[at] = placed;
    }
}

/* The best of a few: as members are sorted, the lowest place. */
static size_t parent(struct genetic *genetic, size_t population)
{
    size_t best = population;

    for (int i = 0; i < TOURNAMENT; i++) {
        size_t drawn = tuner_search_random(genetic->search, population);
        best = drawn < best ? drawn : best;
    }
    return genetic->members[best].configuration;
}

/* Each parameter from either parent; false if constraints forbid it. */
static bool cross(struct genetic *genetic, size_t mother, size_t father, size_t *child)
{
    size_t indices[TUNER_PARAMETERS_MAX], others[TUNER_PARAMETERS_MAX];

    indices_of(genetic->space, mother, indices);
    indices_of(genetic->space, father, others);
    for (size_t d = 0; d < tuner_space_dimensions(genetic->space); d++)
        if (tuner_search_random(genetic->search, 2))
            indices[d] = others[d];
    return tuner_space_find(genetic->space, indices, child);
}

/* Changes one parameter on average. */
static void mutate(struct genetic *genetic, size_t *child)
{
    size_t dimensions = tuner_space_dimensions(genetic->space);

    for (size_t d = 0; d < dimensions; d++)
        if (tuner_search_random(genetic->search, dimensions) == 0)
            move(genetic->search, *child, d, child);
}

/* A configuration that was not tried; false if there is none. */
static bool breed(struct genetic *genetic, size_t population, size_t *child)
{
    for (int i = 0; i < ATTEMPTS && population > 0; i++) {
        size_t mother = parent(genetic, population);
        if (!cross(genetic, mother, parent(genetic, population), child))
            *child = mother;
        mutate(genetic, child);
        if (!tuner_search_tried(genetic->search, *child, NULL))
            return true;
    }
    return pool_draw_untried(&genetic->pool, genetic->search, child);
}

/* Adds POPULATION new members, and keeps the best POPULATION of all; *over if there are no more. */
static enum dm_status generation(struct genetic *genetic, bool *over)
{
    size_t population = genetic->count;

    for (int i = 0; i < POPULATION; i++) {
        struct individual child;
        *over =
            tuner_search_over(genetic->search) || !breed(genetic, population, &child.configuration);
        if (*over)
            return DM_OK;
        TRY(tuner_search_try(genetic->search, child.configuration, &child.time_s));
        genetic->members[genetic->count++] = child;
    }
    sort_members(genetic);
    genetic->count = genetic->count < POPULATION ? genetic->count : POPULATION;
    return DM_OK;
}

/* The best that are known, from a log. */
static void populate(struct genetic *genetic)
{
    for (size_t i = 0; i < tuner_search_progress(genetic->search)->trials; i++) {
        struct individual *member = &genetic->members[genetic->count];
        struct tuner_trial trial;
        member->configuration = search_known(genetic->search, i);
        tuner_search_tried(genetic->search, member->configuration, &trial);
        member->time_s = trial.time_s;
        genetic->count += trial.outcome == TUNER_OK;
        if (genetic->count < 2 * POPULATION)
            continue;
        sort_members(genetic);
        genetic->count = POPULATION;
    }
    sort_members(genetic);
    genetic->count = genetic->count < POPULATION ? genetic->count : POPULATION;
}

static enum dm_status run(struct tuner_search *search)
{
    struct genetic genetic = {.search = search, .space = tuner_search_options(search)->space};
    enum dm_status status = DM_OK;

    TRY(pool_open(&genetic.pool, search));
    populate(&genetic);
    for (bool over = false; status == DM_OK && !over;)
        status = generation(&genetic, &over);
    pool_close(&genetic.pool);
    return status;
}

const struct tuner_strategy strategy_genetic = {
    .name = "genetic",
    .meaning = "genetic algorithm: population 20, tournaments of 3, uniform crossover, mutation of "
               "one parameter on average, the best of parents and children survive",
    .run = run,
};
