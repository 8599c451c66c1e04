/* tuner_model_private.h: the kinds of models, one file each. */
#ifndef TUNER_MODEL_PRIVATE_H
#define TUNER_MODEL_PRIVATE_H

#include "tuner_model.h"

/* Row number i of those to be predicted (see tuner_model_kind.predict). */
static inline const float *tuner_model_row(const float *rows, const uint32_t *which, size_t i,
                                           size_t features)
{
    return rows + (which ? which[i] : i) * features;
}

extern const struct tuner_model_kind tuner_cart, tuner_forest;
extern const struct tuner_model_kind tuner_knn;
extern const struct tuner_model_kind tuner_svm, tuner_svm_scaled;
extern const struct tuner_model_kind tuner_mlp, tuner_mlp_scaled;

#endif
