/* tuner_model_test.h: data for the tests of regression models. */
#ifndef TESTS_UNIT_TUNER_MODEL_TEST_H
#define TESTS_UNIT_TUNER_MODEL_TEST_H

#include <math.h>

#include <datamotion/tuner_model.h>

#include "common/harness/exit.h"
#include "common/random.h"
#include "tests/unit/test_status.h"

enum { ROWS = 300, SAMPLES = 80, FEATURES = 3 };

/* Random rows in [0, 1) with a smooth target in [0, 1]. */
static float rows[ROWS * FEATURES], targets[ROWS], predicted[ROWS];

static inline void fill(uint64_t seed)
{
    for (size_t i = 0; i < ROWS; i++) {
        float *row = rows + i * FEATURES;
        for (size_t f = 0; f < FEATURES; f++)
            row[f] = (float)random_uniform(seed, i * FEATURES + f);
        targets[i] = 0.5f * row[0] + 0.3f * row[1] * row[1] + 0.2f * row[0] * row[2];
    }
}

/* Numbers as of thread blocks: few different ones, many ties. */
static inline void fill_coarse(uint64_t seed)
{
    fill(seed);
    for (size_t i = 0; i < ROWS * FEATURES; i++)
        rows[i] = floorf(rows[i] * 6);
    for (size_t i = 0; i < ROWS; i++)
        targets[i] = floorf(targets[i] * 8) / 8;
}

static inline const struct tuner_model_kind *kind(const char *name)
{
    const struct tuner_model_kind *found = tuner_model_kind_of(name);
    if (!found)
        fail("there is no model %s", name);
    return found;
}

static inline struct tuner_model *fit_model(const struct tuner_model_kind *kind,
                                            const float *inputs, const float *outputs, size_t count,
                                            size_t features, uint64_t seed)
{
    struct tuner_model *model;

    check_status(kind->fit(&model, inputs, outputs, count, features, seed));
    return model;
}

/* Fits to the first rows, predicts all. */
static inline void predict_all(const struct tuner_model_kind *kind, size_t samples, uint64_t seed,
                               float *result)
{
    struct tuner_model *model = fit_model(kind, rows, targets, samples, FEATURES, seed);
    check_status(kind->predict(model, rows, NULL, ROWS, result));
    kind->release(model);
}

static inline double held_out_r2(const struct tuner_model_kind *kind, uint64_t seed)
{
    predict_all(kind, SAMPLES, seed, predicted);
    return tuner_model_r2(predicted + SAMPLES, targets + SAMPLES, ROWS - SAMPLES);
}

#endif
