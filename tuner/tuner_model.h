/* tuner_model.h: regression models behind one interface.
 *
 * A model learns from samples (a row of features each, and how good the configuration was: 0, it
 * does not work, to 1, the best known) and predicts that for other rows. */
#ifndef TUNER_MODEL_H
#define TUNER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tuner_model; /* private to each kind */

struct tuner_model_kind {
    const char *name;    /* cart, knn, svm, forest, mlp, svm-scaled, mlp-scaled */
    const char *meaning; /* one sentence with the settings */
    bool scaled;         /* wants tuner_space_matrix(.., true) */
    /* Fits to `count` >= 1 rows of `features` floats (row by row) and their targets, which are
     * finite. Same input and seed, same model, bit for bit. Ends the program if there is no memory.
     */
    struct tuner_model *(*fit)(const float *rows, const float *targets, size_t count,
                               size_t features, uint64_t seed);
    /* result[i] = prediction for rows[which[i]], for i < count; which == NULL: for rows[i]. */
    void (*predict)(const struct tuner_model *model, const float *rows, const uint32_t *which,
                    size_t count, float *result);
    void (*release)(struct tuner_model *model);
};

/* Ended by NULL, in this order: cart, knn, svm, forest, mlp, svm-scaled, mlp-scaled.
 * Settings are scikit-learn's defaults where it has them (Cui, 5.2.1, does not name others):
 *     cart    least squares, grown until leaves are pure or have one sample; ties by the seed
 *     knn     mean of the 5 nearest (fewer, if there are fewer samples), Euclidean
 *     svm     libsvm, epsilon-SVR, radial basis function, C 1, epsilon 0.1, gamma 1 / features
 *     forest  100 trees like cart on bootstrap samples, mean
 *     mlp     FANN, one hidden layer of 100, at most 200 epochs
 * *-scaled: the same on features scaled to [0, 1]; svm-scaled with gamma = 1 / (features *
 * variance). */
extern const struct tuner_model_kind *const tuner_model_kinds[];

/* The kind of that name, or NULL. */
const struct tuner_model_kind *tuner_model_kind_of(const char *name);

/* 1 - squared error / variance: 1 is perfect, 0 as good as the mean. NaN for constant targets. */
double tuner_model_r2(const float *predicted, const float *targets, size_t count);

#endif
