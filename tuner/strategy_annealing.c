/* Simulated annealing. */
#include <math.h>

#include "common/error.h"

#include "strategies.h"

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

static enum dm_status anneal(struct tuner_search *search, size_t present)
{
    size_t dimensions = tuner_space_dimensions(tuner_search_options(search)->space);
    double present_s, next_s;

    TRY(tuner_search_try(search, present, &present_s));
    for (double temperature = HOT; temperature > COLD; temperature *= COOLING) {
        size_t next;
        if (tuner_search_over(search))
            break;
        if (!move(search, present, tuner_search_random(search, dimensions), &next))
            continue;
        TRY(tuner_search_try(search, next, &next_s));
        if (accepts(search, present_s, next_s, temperature)) {
            present = next;
            present_s = next_s;
        }
    }
    return DM_OK;
}

static enum dm_status run(struct tuner_search *search)
{
    return search_with_restarts(search, anneal);
}

const struct tuner_strategy strategy_annealing = {
    .name = "annealing",
    .meaning = "simulated annealing: steps by one parameter, relative temperature 0.5 to 0.005 by "
               "0.955 per step, then again from a random configuration",
    .run = run,
};
