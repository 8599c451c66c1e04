/* tuner_model.h: regression models behind one interface.
 *
 * A model learns from samples (a row of features each, and how good the configuration was: from 0,
 * it does not work, to 1, the best known) and predicts that for other rows. Errors are reported as
 * datamotion/status.h says. libsvm and FANN are told once per process to print nothing. */
#ifndef DATAMOTION_TUNER_MODEL_H
#define DATAMOTION_TUNER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tuner_model; /* each kind defines its own */

/* A kind of model. A caller's own is as good as those of the table. */
struct tuner_model_kind {
    const char *name;
    const char *meaning; /* one sentence with the settings */
    bool scaled;         /* wants features from 0 to 1 (TUNER_SCALED) */
    /* Fits to `count` >= 1 rows of `features` floats (row by row) and their targets, which are
     * finite. Same input and seed, same model, bit for bit. *model is NULL on an error. */
    enum dm_status (*fit)(struct tuner_model **model, const float *rows, const float *targets,
                          size_t count, size_t features, uint64_t seed);
    /* result[i] = prediction for rows[which[i]], for i < count; which == NULL: for rows[i]. */
    enum dm_status (*predict)(const struct tuner_model *model, const float *rows,
                              const uint32_t *which, size_t count, float *result);
    void (*release)(struct tuner_model *model); /* takes NULL */
};

/* The kinds of this library, ended by NULL. Settings are scikit-learn's defaults where it has them
 * (Cui, 5.2.1, does not name others):
 *     cart        least squares, grown until leaves are pure or have one sample; ties by the seed
 *     knn         mean of the 5 nearest (fewer, if there are fewer samples), Euclidean
 *     svm         libsvm, epsilon-SVR, radial basis function, C 1, epsilon 0.1, gamma 1 / features
 *     forest      100 trees like cart on bootstrap samples, mean
 *     mlp         FANN, one hidden layer of 100, at most 200 epochs
 *     svm-scaled  svm on features from 0 to 1, gamma = 1 / (features * variance)
 *     mlp-scaled  mlp on features from 0 to 1 */
DM_API const struct tuner_model_kind *const *tuner_model_kinds(void);

/* The kind of that name, or NULL. */
DM_API const struct tuner_model_kind *tuner_model_kind_of(const char *name);

/* 1 - squared error / variance: 1 is perfect, 0 as good as the mean. NaN for constant targets. */
DM_API double tuner_model_r2(const float *predicted, const float *targets, size_t count);

#ifdef __cplusplus
}
#endif
#endif
