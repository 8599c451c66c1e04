/* tuner_annealing.c: simulated annealing. */
#include "tuner_strategies.h"

#include <math.h>

/* Temperatures are relative slowdowns: at HOT a step to a configuration that takes 1 + HOT times as
 * long is accepted with probability 1 / e. About 100 steps from one to the other, as budgets are a
 * few hundred trials. */
static const double HOT = 0.5, COLD = 0.005, COOLING = 0.955;

static bool accepts(struct tuner_search *search, double present_s, double next_s,
                    double temperature)
{
    if (next_s <= present_s)
        return true;
    if (isinf(next_s))
        return false;
    return tuner_search_uniform(search) < exp((1.0 - next_s / present_s) / temperature);
}

static void anneal(struct tuner_search *search, size_t present)
{
    size_t dimensions = tuner_space_dimensions(tuner_search_options(search)->space);
    double present_s = tuner_search_try(search, present);

    for (double temperature = HOT; temperature > COLD; temperature *= COOLING) {
        size_t next;
        if (tuner_search_over(search))
            return;
        if (!tuner_move(search, present, tuner_search_random(search, dimensions), &next))
            continue;
        double next_s = tuner_search_try(search, next);
        if (accepts(search, present_s, next_s, temperature)) {
            present = next;
            present_s = next_s;
        }
    }
}

static void run(struct tuner_search *search)
{
    struct tuner_pool pool;
    size_t start;

    tuner_pool_open(&pool, search);
    while (!tuner_search_over(search) && tuner_pool_draw_untried(&pool, search, &start))
        anneal(search, start);
    tuner_pool_close(&pool);
}

const struct tuner_strategy tuner_annealing_strategy = {
    .name = "annealing",
    .meaning = "simulated annealing: steps by one parameter, relative temperature 0.5 to 0.005 by "
               "0.955 per step, then again from a random configuration",
    .run = run,
};
