#include "analysis.h"

#include <math.h>
#include <stdlib.h>

#include "common/error.h"
#include "common/random.h"

#include "allocate.h"
#include "encoding.h"
#include "ensemble.h"
#include "search_internal.h"
#include "strategies.h"

enum {
    TRIALS_MIN = 4,
    POINTS = 400 /* trials that are learned at most, configurations that are predicted */,
    SEED = 1
};

struct work {
    struct tuner_search *search;
    const struct tuner_space *space;
    size_t trials;                           /* that are learned */
    size_t (*indices)[TUNER_PARAMETERS_MAX]; /* of configurations anywhere in the space */
    struct encoding encoding;
    struct ensemble *ensemble;
    float *rows, *targets, *predicted, *changed, *spread;
};

static float speed_of(const struct work *work, size_t configuration)
{
    struct tuner_trial trial;

    tuner_search_tried(work->search, configuration, &trial);
    if (trial.outcome != TUNER_OK)
        return 0.0f;
    double best_s = tuner_search_progress(work->search)->best_trial.time_s;
    return trial.time_s > 0.0 ? (float)(best_s / trial.time_s) : 1.0f;
}

static enum dm_status allocate_work(struct work *work)
{
    TRY(encoding_open(&work->encoding, work->space));
    work->indices = allocate(POINTS, sizeof *work->indices);
    work->rows = allocate(POINTS * work->encoding.features, sizeof *work->rows);
    work->targets = allocate(POINTS, sizeof *work->targets);
    work->predicted = allocate(POINTS, sizeof *work->predicted);
    work->changed = allocate(POINTS, sizeof *work->changed);
    work->spread = allocate(POINTS, sizeof *work->spread);
    return work->indices && work->rows && work->targets && work->predicted && work->changed &&
                   work->spread
               ? DM_OK
               : DM_NO_MEMORY;
}

static double variance(const float *values, size_t count)
{
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < count; i++)
        sum += (double)values[i];
    for (size_t i = 0; i < count; i++)
        squares += pow((double)values[i] - sum / (double)count, 2.0);
    return squares / (double)count;
}

/* Trials at even distances. */
static enum dm_status fit(struct work *work, double *fitted)
{
    const size_t features = work->encoding.features, count = work->trials;
    size_t trials = tuner_search_progress(work->search)->trials;
    double errors = 0.0;

    for (size_t i = 0; i < count; i++) {
        size_t configuration = search_known(work->search, i * trials / count);
        encode(&work->encoding, configuration, work->rows + i * features);
        work->targets[i] = speed_of(work, configuration);
    }
    TRY(ensemble_fit(&work->ensemble, work->rows, work->targets, count, features, SEED));
    TRY(ensemble_predict(work->ensemble, work->rows, count, work->predicted, work->spread));
    for (size_t i = 0; i < count; i++)
        errors += pow((double)(work->targets[i] - work->predicted[i]), 2.0);
    double all = (double)count * variance(work->targets, count);
    *fitted = all > 0.0 ? 1.0 - errors / all : 1.0;
    return DM_OK;
}

/* Trials are mostly near the best; parameters are judged all over the space. */
static enum dm_status draw_points(struct work *work)
{
    for (size_t i = 0; i < POINTS; i++) {
        indices_of(work->space, random_below(SEED, i, tuner_space_size(work->space)),
                   work->indices[i]);
        encode_indices(&work->encoding, work->indices[i], work->rows + i * work->encoding.features);
    }
    return ensemble_predict(work->ensemble, work->rows, POINTS, work->predicted, work->spread);
}

/* Predictions for all points with another index of one parameter each. */
static enum dm_status predict_changed(struct work *work, size_t dimension,
                                      size_t (*other)(const struct work *work, size_t dimension,
                                                      size_t point, size_t detail),
                                      size_t detail)
{
    for (size_t i = 0; i < POINTS; i++) {
        size_t indices[TUNER_PARAMETERS_MAX];
        for (size_t d = 0; d < tuner_space_dimensions(work->space); d++)
            indices[d] = work->indices[i][d];
        indices[dimension] = other(work, dimension, i, detail);
        encode_indices(&work->encoding, indices, work->rows + i * work->encoding.features);
    }
    return ensemble_predict(work->ensemble, work->rows, POINTS, work->changed, work->spread);
}

static size_t same_for_all(const struct work *work, size_t dimension, size_t point, size_t detail)
{
    (void)work, (void)dimension, (void)point;
    return detail;
}

/* That of another point: of each point once. */
static size_t swapped(const struct work *work, size_t dimension, size_t point, size_t detail)
{
    return work->indices[(point + 1 + detail) % POINTS][dimension];
}

static enum dm_status find_importance(struct work *work, size_t dimension, double *importance)
{
    enum { SWAPS = 8 };
    double squares = 0.0, all = variance(work->predicted, POINTS);

    for (size_t swap = 0; swap < SWAPS; swap++) {
        size_t detail = random_below(SEED, 1000 + SWAPS * dimension + swap, POINTS - 1);
        TRY(predict_changed(work, dimension, swapped, detail));
        for (size_t i = 0; i < POINTS; i++)
            squares += pow((double)(work->changed[i] - work->predicted[i]), 2.0);
    }
    *importance = all > 0.0 ? 0.5 * squares / (double)(SWAPS * POINTS) / all : 0.0;
    return DM_OK;
}

static enum dm_status find_effect(struct work *work, size_t dimension,
                                  struct analysis_parameter *parameter)
{
    size_t values = tuner_space_parameter(work->space, dimension)->count;

    parameter->count = values < ANALYSIS_VALUES_MAX ? values : ANALYSIS_VALUES_MAX;
    for (size_t v = 0; v < parameter->count; v++) {
        size_t index = parameter->count > 1 ? v * (values - 1) / (parameter->count - 1) : 0;
        double sum = 0.0;
        TRY(predict_changed(work, dimension, same_for_all, index));
        for (size_t i = 0; i < POINTS; i++)
            sum += (double)work->changed[i];
        parameter->indices[v] = index;
        parameter->speed[v] = sum / (double)POINTS;
    }
    return DM_OK;
}

static enum dm_status analyse(struct analysis *analysis, struct work *work)
{
    TRY(allocate_work(work));
    TRY(fit(work, &analysis->fit));
    TRY(draw_points(work));
    for (size_t d = 0; d < tuner_space_dimensions(work->space); d++) {
        TRY(find_importance(work, d, &analysis->parameters[d].importance));
        TRY(find_effect(work, d, &analysis->parameters[d]));
    }
    return DM_OK;
}

enum dm_status analysis_of(struct analysis *analysis, struct tuner_search *search)
{
    const struct tuner_progress *known = tuner_search_progress(search);
    struct work work = {.search = search,
                        .space = tuner_search_options(search)->space,
                        .trials = known->trials < POINTS ? known->trials : POINTS};

    if (known->trials < TRIALS_MIN || !known->found)
        return dm_fail(DM_INVALID, "%zu trials, %zu of them ok, say nothing about parameters",
                       known->trials, known->count[TUNER_OK]);
    enum dm_status status = analyse(analysis, &work);
    ensemble_free(work.ensemble);
    encoding_close(&work.encoding);
    free(work.indices);
    free(work.rows);
    free(work.targets);
    free(work.predicted);
    free(work.changed);
    free(work.spread);
    return status;
}
