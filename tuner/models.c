/* The kinds of models by name. A new one is a file model_NAME.c and a line here. */
#include "models.h"

#include <math.h>
#include <string.h>

const struct tuner_model_kind *const *tuner_model_kinds(void)
{
    static const struct tuner_model_kind *const kinds[] = {
        &model_cart, &model_knn,        &model_svm,        &model_forest,
        &model_mlp,  &model_svm_scaled, &model_mlp_scaled, NULL,
    };
    return kinds;
}

const struct tuner_model_kind *tuner_model_kind_of(const char *name)
{
    for (const struct tuner_model_kind *const *at = tuner_model_kinds(); *at; at++)
        if (strcmp((*at)->name, name) == 0)
            return *at;
    return NULL;
}

double tuner_model_r2(const float *predicted, const float *targets, size_t count)
{
    double mean = 0, error = 0, variance = 0;

    for (size_t i = 0; i < count; i++)
        mean += (double)targets[i] / (double)count;
    for (size_t i = 0; i < count; i++) {
        double miss = (double)predicted[i] - targets[i], distance = targets[i] - mean;
        error += miss * miss;
        variance += distance * distance;
    }
    for (size_t i = 1; i < count; i++)
        if (targets[i] != targets[0])
            return 1 - error / variance;
    return NAN; /* decided by the targets: the mean may be rounded */
}
