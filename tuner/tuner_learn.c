/* tuner_learn.c: a model of what was measured so far. */
#include "tuner_learn.h"

#include "clock.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>

void tuner_learner_open(struct tuner_learner *learner, struct tuner_search *search,
                        const struct tuner_strategy *strategy)
{
    const struct tuner_search_options *options = tuner_search_options(search);
    size_t size = tuner_space_size(options->space);

    if (!options->model || options->samples < 1)
        fail("a search with a model needs one, and at least one sample per iteration");
    enum tuner_features features = tuner_strategy_features(strategy, options->model);
    *learner =
        (struct tuner_learner){.search = search,
                               .options = options,
                               .features = tuner_space_features(options->space, features),
                               .samples = allocate_or_fail(size, sizeof *learner->samples),
                               .predictions = allocate_or_fail(size, sizeof *learner->predictions),
                               .scratch = allocate_or_fail(size, sizeof *learner->scratch)};
    if (!options->matrix)
        learner->own_matrix = tuner_space_matrix(options->space, features);
    learner->matrix = options->matrix ? options->matrix : learner->own_matrix;
}

void tuner_learner_close(struct tuner_learner *learner)
{
    free(learner->scratch);
    free(learner->predictions);
    free(learner->samples);
    free(learner->own_matrix);
}

void tuner_learner_sample(struct tuner_learner *learner, struct tuner_pool *list, size_t count)
{
    for (size_t i = 0; i < count && list->count > 0; i++) {
        if (tuner_search_over(learner->search))
            return;
        size_t drawn = tuner_pool_draw(list, learner->search);
        tuner_search_try(learner->search, drawn);
        learner->samples[learner->sample_count++] = (uint32_t)drawn;
    }
}

/* How good a sample is, relative to the best so far: a scale of its own for each search, so that
 * models need no other. */
static float target(const struct tuner_learner *learner, size_t configuration)
{
    double best_s = tuner_search_progress(learner->search)->best_trial.time_s;
    struct tuner_trial trial;

    if (!tuner_search_tried(learner->search, configuration, &trial) || trial.outcome != TUNER_OK)
        return 0.0f;
    return trial.time_s > best_s ? (float)(best_s / trial.time_s) : 1.0f;
}

static struct tuner_model *fit(const struct tuner_learner *learner, size_t first)
{
    size_t count = learner->sample_count - first;
    size_t features = learner->features;
    float *rows = allocate_or_fail(count * features, sizeof *rows);
    float *targets = allocate_or_fail(count, sizeof *targets);

    for (size_t i = 0; i < count; i++) {
        size_t configuration = learner->samples[first + i];
        for (size_t f = 0; f < features; f++)
            rows[i * features + f] = learner->matrix[configuration * features + f];
        targets[i] = target(learner, configuration);
    }
    uint64_t seed = tuner_search_random(learner->search, UINT64_MAX);
    struct tuner_model *model = learner->options->model->fit(rows, targets, count, features, seed);
    free(targets);
    free(rows);
    return model;
}

/* A model that overflows predicts nothing good. */
void tuner_learner_predict(struct tuner_learner *learner, size_t first,
                           const struct tuner_pool *list)
{
    const struct tuner_model_kind *kind = learner->options->model;
    double start_s = clock_now_s();
    struct tuner_model *model = fit(learner, first);

    kind->predict(model, learner->matrix, list->left, list->count, learner->predictions);
    kind->release(model);
    for (size_t i = 0; i < list->count; i++)
        if (isnan(learner->predictions[i]))
            learner->predictions[i] = -INFINITY;
    tuner_search_add_model_time(learner->search, clock_now_s() - start_s);
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

void tuner_learner_prune(struct tuner_learner *learner, struct tuner_pool *list, size_t count)
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
