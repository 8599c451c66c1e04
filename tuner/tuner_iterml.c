/* tuner_iterml.c: iterative machine learning. Each iteration measures some of what remains, fits a
 * model to what was measured and prunes what it predicts to be slow.
 * Source: Cui, 5.2.2, algorithm 1. */
#include "tuner_strategies.h"

#include "clock.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>

struct iterml {
    struct tuner_search *search;
    const struct tuner_search_options *options;
    const float *matrix; /* all configurations */
    size_t features;
    struct tuner_pool remaining; /* neither measured nor pruned */
    uint32_t *samples;           /* measured, in order */
    size_t sample_count;
    float *predictions; /* of remaining */
    float *scratch;     /* as large */
};

static void check_options(const struct tuner_search_options *options)
{
    if (!options->model || options->samples < 1)
        fail("iterml needs a model and at least one sample per iteration");
    if (!(options->cut_ratio > 0.0 && options->cut_ratio < 1.0))
        fail("a cut ratio of %g: it is between 0 and 1", options->cut_ratio);
}

static void sample(struct iterml *iterml)
{
    size_t wanted = iterml->options->samples;

    for (size_t i = 0; i < wanted && iterml->remaining.count > 0; i++) {
        if (tuner_search_over(iterml->search))
            return;
        size_t drawn = tuner_pool_draw(&iterml->remaining, iterml->search);
        tuner_search_try(iterml->search, drawn);
        iterml->samples[iterml->sample_count++] = (uint32_t)drawn;
    }
}

/* How good a sample is, relative to the best so far: a scale of its own for each search, so that
 * models need no other. */
static float target(const struct iterml *iterml, size_t configuration)
{
    double best_s = tuner_search_progress(iterml->search)->best_trial.time_s;
    struct tuner_trial trial;

    if (!tuner_search_tried(iterml->search, configuration, &trial) || trial.outcome != TUNER_OK)
        return 0.0f;
    return trial.time_s > best_s ? (float)(best_s / trial.time_s) : 1.0f;
}

static struct tuner_model *fit(const struct iterml *iterml, size_t first)
{
    size_t count = iterml->sample_count - first;
    size_t features = iterml->features;
    float *rows = allocate_or_fail(count * features, sizeof *rows);
    float *targets = allocate_or_fail(count, sizeof *targets);

    for (size_t i = 0; i < count; i++) {
        size_t configuration = iterml->samples[first + i];
        for (size_t f = 0; f < features; f++)
            rows[i * features + f] = iterml->matrix[configuration * features + f];
        targets[i] = target(iterml, configuration);
    }
    uint64_t seed = tuner_search_random(iterml->search, UINT64_MAX);
    struct tuner_model *model = iterml->options->model->fit(rows, targets, count, features, seed);
    free(targets);
    free(rows);
    return model;
}

/* A model that overflows predicts nothing good. */
static void predict(struct iterml *iterml, size_t first)
{
    const struct tuner_model_kind *kind = iterml->options->model;
    double start_s = clock_now_s();
    struct tuner_model *model = fit(iterml, first);

    kind->predict(model, iterml->matrix, iterml->remaining.left, iterml->remaining.count,
                  iterml->predictions);
    kind->release(model);
    for (size_t i = 0; i < iterml->remaining.count; i++)
        if (isnan(iterml->predictions[i]))
            iterml->predictions[i] = -INFINITY;
    tuner_search_add_model_time(iterml->search, clock_now_s() - start_s);
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

/* Removes the `count` lowest predictions; among equal ones at the border chance decides, as trees
 * predict the same for many and their order says nothing. */
static void prune(struct iterml *iterml, size_t count)
{
    struct tuner_pool *remaining = &iterml->remaining;
    const float *predictions = iterml->predictions;
    size_t below = 0, equal = 0, kept = 0;

    for (size_t i = 0; i < remaining->count; i++)
        iterml->scratch[i] = predictions[i];
    float border = value_at_rank(iterml->scratch, remaining->count, count - 1);
    for (size_t i = 0; i < remaining->count; i++) {
        below += predictions[i] < border;
        equal += predictions[i] == border;
    }
    size_t to_prune = count - below; /* of the equal ones */
    for (size_t i = 0; i < remaining->count; i++) {
        bool keep = predictions[i] > border;
        if (predictions[i] == border) {
            keep = tuner_search_random(iterml->search, equal--) >= to_prune;
            to_prune -= !keep;
        }
        if (keep)
            remaining->left[kept++] = remaining->left[i];
    }
    remaining->count = kept;
}

static void iterate(struct iterml *iterml, bool last)
{
    const struct tuner_search_options *options = iterml->options;
    size_t before = iterml->remaining.count;
    size_t first = iterml->sample_count;

    sample(iterml);
    size_t unmeasured = iterml->remaining.count;
    size_t pruned = (size_t)round(options->cut_ratio * (double)unmeasured);
    if (last || tuner_search_over(iterml->search))
        pruned = 0; /* no samples follow that a model could guide */
    if (pruned > 0) {
        predict(iterml, options->latest_only ? first : 0);
        prune(iterml, pruned);
    }
    tuner_search_end_iteration(iterml->search, before, iterml->sample_count - first, pruned,
                               iterml->remaining.left);
}

static void run(struct tuner_search *search)
{
    const struct tuner_search_options *options = tuner_search_options(search);
    size_t size = tuner_space_size(options->space);
    float *made = NULL;

    check_options(options);
    if (!options->matrix)
        made = tuner_space_matrix(options->space, options->model->scaled);
    struct iterml iterml = {.search = search,
                            .options = options,
                            .matrix = made ? made : options->matrix,
                            .features = tuner_space_features(options->space),
                            .samples = allocate_or_fail(size, sizeof *iterml.samples),
                            .predictions = allocate_or_fail(size, sizeof *iterml.predictions),
                            .scratch = allocate_or_fail(size, sizeof *iterml.scratch)};
    tuner_pool_open(&iterml.remaining, search);
    for (long i = 1; iterml.remaining.count > 0 && !tuner_search_over(search); i++) {
        iterate(&iterml, i == options->iterations);
        if (i == options->iterations)
            break;
    }
    tuner_pool_close(&iterml.remaining);
    free(iterml.scratch);
    free(iterml.predictions);
    free(iterml.samples);
    free(made);
}

const struct tuner_strategy tuner_iterml_strategy = {
    .name = "iterml",
    .meaning = "measures samples, fits a model to them, prunes what it predicts to be slow, and so "
               "on with what remains",
    .run = run,
};
