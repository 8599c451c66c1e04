/* The strategies by name. A new one is a file strategy_NAME.c and a line here. */
#include "strategies.h"

#include <string.h>

const struct tuner_strategy *const *tuner_strategies(void)
{
    static const struct tuner_strategy *const strategies[] = {
        &strategy_random,    &strategy_iterml,  &strategy_exhaustive,
        &strategy_annealing, &strategy_genetic, &strategy_local,
        &strategy_guided,    &strategy_auto,    NULL,
    };
    return strategies;
}

const struct tuner_strategy *tuner_strategy_of(const char *name)
{
    for (const struct tuner_strategy *const *at = tuner_strategies(); *at; at++)
        if (strcmp((*at)->name, name) == 0)
            return *at;
    return NULL;
}

enum tuner_features tuner_strategy_features(const struct tuner_strategy *strategy,
                                            const struct tuner_model_kind *model)
{
    if (model->scaled)
        return TUNER_SCALED;
    return strategy->aligned ? TUNER_ALIGNED : TUNER_PLAIN;
}
