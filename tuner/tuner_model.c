#include "tuner_model.h"

#include "tuner_model_private.h"

#include <math.h>
#include <string.h>

const struct tuner_model_kind *const tuner_model_kinds[] = {
    &tuner_cart, &tuner_knn,        &tuner_svm,        &tuner_forest,
    &tuner_mlp,  &tuner_svm_scaled, &tuner_mlp_scaled, NULL,
};

const struct tuner_model_kind *tuner_model_kind_of(const char *name)
{
    for (size_t i = 0; tuner_model_kinds[i]; i++)
        if (strcmp(tuner_model_kinds[i]->name, name) == 0)
            return tuner_model_kinds[i];
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
