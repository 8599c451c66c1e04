/* cart and forest: a forest of one tree that has all samples, or of trees on bootstrap samples. */
#include "random.h"
#include "status.h"
#include "tuner_model_private.h"
#include "tuner_tree.h"

#include <stdlib.h>
#include <string.h>

enum { FOREST_TREES = 100 };

struct tuner_model {
    size_t features;
    size_t tree_count;
    struct tuner_tree trees[FOREST_TREES];
};

static struct tuner_model *create(size_t features, size_t tree_count)
{
    struct tuner_model *model = allocate_or_fail(1, sizeof *model);

    model->features = features;
    model->tree_count = tree_count;
    return model;
}

static struct tuner_model *fit_tree(const float *rows, const float *targets, size_t count,
                                    size_t features, uint64_t seed)
{
    struct tuner_model *model = create(features, 1);
    struct tuner_tree_grower *grower = tuner_tree_grower_open(rows, targets, count, features);
    uint32_t *weights = allocate_or_fail(count, sizeof *weights);

    for (size_t i = 0; i < count; i++)
        weights[i] = 1;
    tuner_tree_grow(grower, weights, seed, &model->trees[0]);
    free(weights);
    tuner_tree_grower_close(grower);
    return model;
}

static struct tuner_model *fit_forest(const float *rows, const float *targets, size_t count,
                                      size_t features, uint64_t seed)
{
    struct tuner_model *model = create(features, FOREST_TREES);
    struct tuner_tree_grower *grower = tuner_tree_grower_open(rows, targets, count, features);
    uint32_t *weights = allocate_or_fail(count, sizeof *weights);

    for (size_t tree = 0; tree < FOREST_TREES; tree++) {
        memset(weights, 0, count * sizeof *weights);
        for (size_t draw = 0; draw < count; draw++)
            weights[random_below(seed, tree * count + draw, count)]++;
        tuner_tree_grow(grower, weights, random_bits(seed, FOREST_TREES * count + tree),
                        &model->trees[tree]);
    }
    free(weights);
    tuner_tree_grower_close(grower);
    return model;
}

/* The rows from `first` on, feature by feature; behind the last, its copies. */
static void gather(const struct tuner_model *model, const float *rows, const uint32_t *which,
                   size_t first, size_t count, float *columns)
{
    for (size_t i = 0; i < TUNER_TREE_ROWS; i++) {
        size_t wanted = first + i < count ? first + i : count - 1;
        const float *row = tuner_model_row(rows, which, wanted, model->features);
        for (size_t f = 0; f < model->features; f++)
            columns[f * TUNER_TREE_ROWS + i] = row[f];
    }
}

static void predict(const struct tuner_model *model, const float *rows, const uint32_t *which,
                    size_t count, float *result)
{
    float *columns = allocate_or_fail(model->features * TUNER_TREE_ROWS, sizeof *columns);
    double sums[TUNER_TREE_ROWS];

    for (size_t first = 0; first < count; first += TUNER_TREE_ROWS) {
        gather(model, rows, which, first, count, columns);
        memset(sums, 0, sizeof sums);
        for (size_t tree = 0; tree < model->tree_count; tree++)
            tuner_tree_add(&model->trees[tree], columns, sums);
        for (size_t i = 0; i < TUNER_TREE_ROWS && first + i < count; i++)
            result[first + i] = (float)(sums[i] / (double)model->tree_count);
    }
    free(columns);
}

static void release(struct tuner_model *model)
{
    for (size_t tree = 0; tree < model->tree_count; tree++)
        free(model->trees[tree].nodes);
    free(model);
}

const struct tuner_model_kind tuner_cart = {
    .name = "cart",
    .meaning = "a regression tree of least squares, grown until its leaves are pure",
    .fit = fit_tree,
    .predict = predict,
    .release = release,
};

const struct tuner_model_kind tuner_forest = {
    .name = "forest",
    .meaning = "a random forest: mean of 100 trees like cart, each on a bootstrap sample",
    .fit = fit_forest,
    .predict = predict,
    .release = release,
};
