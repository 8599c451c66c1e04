/* models.h: the kinds of models, one file each. */
#ifndef TUNER_MODELS_H
#define TUNER_MODELS_H

#include <datamotion/tuner_model.h>

/* Row number i of those to be predicted (see tuner_model_kind.predict). */
static inline const float *row_of(const float *rows, const uint32_t *which, size_t i,
                                  size_t features)
{
    return rows + (which ? which[i] : i) * features;
}

extern const struct tuner_model_kind model_cart, model_forest, model_knn, model_svm,
    model_svm_scaled, model_mlp, model_mlp_scaled;

#endif
