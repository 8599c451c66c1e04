/* A model of what was measured so far. */
#include "learner.h"

#include <math.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/error.h"

#include "allocate.h"
#include "search_internal.h"

static enum dm_status allocate_learner(struct learner *learner, enum tuner_features features)
{
    const struct tuner_space *space = learner->options->space;
    size_t size = tuner_space_size(space);

    learner->samples = allocate(size, sizeof *learner->samples);
    learner->predictions = allocate(size, sizeof *learner->predictions);
    learner->scratch = allocate(size, sizeof *learner->scratch);
    if (!learner->samples || !learner->predictions || !learner->scratch)
        return DM_NO_MEMORY;
    learner->matrix = learner->options->matrix;
    if (!learner->matrix) {
        TRY(tuner_space_matrix(space, features, &learner->own_matrix));
        learner->matrix = learner->own_matrix;
    }
    return DM_OK;
}

enum dm_status learner_open(struct learner *learner, struct tuner_search *search,
                            const struct tuner_strategy *strategy)
{
    const struct tuner_search_options *options = tuner_search_options(search);

    *learner = (struct learner){.search = search, .options = options};
    if (!options->model || options->samples < 1)
        return dm_fail(DM_INVALID,
                       "the strategy %s needs a model and at least one sample per iteration",
                       strategy->name);
    enum tuner_features features = tuner_strategy_features(strategy, options->model);
    learner->features = tuner_space_features(options->space, features);
    enum dm_status status = allocate_learner(learner, features);
    if (status != DM_OK) {
        learner_close(learner);
        return status;
    }
    for (size_t i = 0; i < tuner_search_progress(search)->trials; i++)
        learner->samples[learner->sample_count++] = (uint32_t)search_known(search, i);
    return DM_OK;
}

void learner_close(struct learner *learner)
{
    free(learner->scratch);
    free(learner->predictions);
    free(learner->samples);
    free(learner->own_matrix);
}

enum dm_status learner_sample(struct learner *learner, struct pool *list, size_t count)
{
    for (size_t i = 0; i < count && list->count > 0; i++) {
        double time_s;
        if (tuner_search_over(learner->search))
            break;
        size_t drawn = pool_draw(list, learner->search);
        TRY(tuner_search_try(learner->search, drawn, &time_s));
        learner->samples[learner->sample_count++] = (uint32_t)drawn;
    }
    return DM_OK;
}

/* How good a sample is, relative to the best so far: a scale of its own for each search, so that
 * models need no other. */
static float target(const struct learner *learner, size_t configuration)
{
    double best_s = tuner_search_progress(learner->search)->best_trial.time_s;
    struct tuner_trial trial;

    if (!tuner_search_tried(learner->search, configuration, &trial) || trial.outcome != TUNER_OK)
        return 0.0f;
    return trial.time_s > best_s ? (float)(best_s / trial.time_s) : 1.0f;
}

static void fill_samples(const struct learner *learner, size_t first, float *rows, float *targets)
{
    size_t features = learner->features;

    for (size_t i = 0; first + i < learner->sample_count; i++) {
        size_t configuration = learner->samples[first + i];
        for (size_t f = 0; f < features; f++)
            rows[i * features + f] = learner->matrix[configuration * features + f];
        targets[i] = target(learner, configuration);
    }
}

static enum dm_status fit(const struct learner *learner, size_t first, struct tuner_model **model)
{
    size_t count = learner->sample_count - first;
    float *rows = allocate(count * learner->features, sizeof *rows);
    float *targets = allocate(count, sizeof *targets);
    enum dm_status status = rows && targets ? DM_OK : DM_NO_MEMORY;

    *model = NULL;
    if (status == DM_OK) {
        fill_samples(learner, first, rows, targets);
        uint64_t seed = tuner_search_random(learner->search, UINT64_MAX);
        status = learner->options->model->fit(model, rows, targets, count, learner->features, seed);
    }
    free(targets);
    free(rows);
    return status;
}

enum dm_status learner_predict(struct learner *learner, size_t first, const struct pool *list)
{
    const struct tuner_model_kind *kind = learner->options->model;
    double start_s = clock_now_s();
    struct tuner_model *model;

    TRY(fit(learner, first, &model));
    enum dm_status status =
        kind->predict(model, learner->matrix, list->left, list->count, learner->predictions);
    kind->release(model);
    for (size_t i = 0; status == DM_OK && i < list->count; i++)
        if (isnan(learner->predictions[i]))
            learner->predictions[i] = -INFINITY; /* a model that overflows predicts nothing good */
    search_add_model_time(learner->search, clock_now_s() - start_s);
    return status;
}

/* The value at `rank` (from 0) of the values in ascending order, which are moved about. Source:
 * Hoare, Algorithm 65: find, CACM 1961. */
static float value_at_rank(float *values, size_t count, size_t rank)
{
    long low = 0, high = (long)count - 1, wanted = (long)rank;

    while (low < high) {
        float pivot = values[wanted];
        long i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i <= j) {
                float moved = values[i];
                values[i++] = values[j];
                values[j--] = moved;
            }
        }
        if (j < wanted)
            low = i;
        if (i > wanted)
            high = j;
    }
    return values[wanted];
}

void learner_prune(struct learner *learner, struct pool *list, size_t count)
{
    const float *predictions = learner->predictions;
    size_t below = 0, equal = 0, kept = 0;

    for (size_t i = 0; i < list->count; i++)
        learner->scratch[i] = predictions[i];
    float border = value_at_rank(learner->scratch, list->count, count - 1);
    for (size_t i = 0; i < list->count; i++) {
        below += predictions[i] < border;
        equal += predictions[i] == border;
    }
    size_t to_prune = count - below; /* of the equal ones */
    for (size_t i = 0; i < list->count; i++) {
        bool keep = predictions[i] > border;
        if (predictions[i] == border) {
            keep = tuner_search_random(learner->search, equal--) >= to_prune;
            to_prune -= !keep;
        }
        if (keep)
            list->left[kept++] = list->left[i];
    }
    list->count = kept;
}
