/* tuner_strategy.c: the strategies by name. */
#include "tuner_strategies.h"

#include <string.h>

const struct tuner_strategy *const tuner_strategies[] = {
    &tuner_random_strategy,     &tuner_iterml_strategy,
    &tuner_exhaustive_strategy, &tuner_annealing_strategy,
    &tuner_genetic_strategy,    &tuner_local_strategy,
    &tuner_guided_strategy,     NULL,
};

const struct tuner_strategy *tuner_strategy_of(const char *name)
{
    for (size_t i = 0; tuner_strategies[i]; i++)
        if (strcmp(tuner_strategies[i]->name, name) == 0)
            return tuner_strategies[i];
    return NULL;
}

enum tuner_features tuner_strategy_features(const struct tuner_strategy *strategy,
                                            const struct tuner_model_kind *model)
{
    if (model->scaled)
        return TUNER_SCALED;
    return strategy->aligned ? TUNER_ALIGNED : TUNER_PLAIN;
}
