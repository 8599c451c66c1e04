/* cart and forest: a forest of one tree that has all samples, or of trees on bootstrap samples. */
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/random.h"

#include "allocate.h"
#include "models.h"
#include "tree.h"

enum { FOREST_TREES = 100 };

struct tuner_model {
    size_t features;
    size_t tree_count;
    struct tree trees[FOREST_TREES];
};

static void release(struct tuner_model *model)
{
    if (!model)
        return;
    for (size_t tree = 0; tree < model->tree_count; tree++)
        free(model->trees[tree].nodes);
    free(model);
}

/* One tree of all samples, or each tree of a bootstrap sample. */
static enum dm_status grow(struct tuner_model *model, struct tree_grower *grower, size_t count,
                           uint64_t seed, uint32_t *weights)
{
    if (model->tree_count == 1) {
        for (size_t i = 0; i < count; i++)
            weights[i] = 1;
        return tree_grow(grower, weights, seed, &model->trees[0]);
    }
    for (size_t tree = 0; tree < model->tree_count; tree++) {
        memset(weights, 0, count * sizeof *weights);
        for (size_t draw = 0; draw < count; draw++)
            weights[random_below(seed, tree * count + draw, count)]++;
        uint64_t tree_seed = random_bits(seed, model->tree_count * count + tree);
        TRY(tree_grow(grower, weights, tree_seed, &model->trees[tree]));
    }
    return DM_OK;
}

static enum dm_status fit(struct tuner_model **model, const float *rows, const float *targets,
                          size_t count, size_t features, uint64_t seed, size_t tree_count)
{
    struct tuner_model *made = allocate(1, sizeof *made);
    uint32_t *weights = allocate(count, sizeof *weights);
    struct tree_grower *grower = NULL;

    enum dm_status status = made && weights ? DM_OK : DM_NO_MEMORY;
    if (status == DM_OK) {
        *made = (struct tuner_model){.features = features, .tree_count = tree_count};
        status = tree_grower_open(&grower, rows, targets, count, features);
    }
    if (status == DM_OK)
        status = grow(made, grower, count, seed, weights);
    tree_grower_close(grower);
    free(weights);
    if (status != DM_OK) {
        release(made);
        made = NULL;
    }
    *model = made;
    return status;
}

static enum dm_status fit_tree(struct tuner_model **model, const float *rows, const float *targets,
                               size_t count, size_t features, uint64_t seed)
{
    return fit(model, rows, targets, count, features, seed, 1);
}

static enum dm_status fit_forest(struct tuner_model **model, const float *rows,
                                 const float *targets, size_t count, size_t features, uint64_t seed)
{
    return fit(model, rows, targets, count, features, seed, FOREST_TREES);
}

/* The rows from `first` on, feature by feature; behind the last, its copies. */
static void gather(const struct tuner_model *model, const float *rows, const uint32_t *which,
                   size_t first, size_t count, float *columns)
{
    for (size_t i = 0; i < TREE_ROWS; i++) {
        size_t wanted = first + i < count ? first + i : count - 1;
        const float *row = row_of(rows, which, wanted, model->features);
        for (size_t f = 0; f < model->features; f++)
            columns[f * TREE_ROWS + i] = row[f];
    }
}

static enum dm_status predict(const struct tuner_model *model, const float *rows,
                              const uint32_t *which, size_t count, float *result)
{
    float *columns = allocate(model->features * TREE_ROWS, sizeof *columns);
    double sums[TREE_ROWS];

    if (!columns)
        return DM_NO_MEMORY;
    for (size_t first = 0; first < count; first += TREE_ROWS) {
        gather(model, rows, which, first, count, columns);
        memset(sums, 0, sizeof sums);
        for (size_t tree = 0; tree < model->tree_count; tree++)
            tree_add(&model->trees[tree], columns, sums);
        for (size_t i = 0; i < TREE_ROWS && first + i < count; i++)
            result[first + i] = (float)(sums[i] / (double)model->tree_count);
    }
    free(columns);
    return DM_OK;
}

const struct tuner_model_kind model_cart = {
    .name = "cart",
    .meaning = "a regression tree of least squares, grown until its leaves are pure",
    .fit = fit_tree,
    .predict = predict,
    .release = release,
};

const struct tuner_model_kind model_forest = {
    .name = "forest",
    .meaning = "a random forest: mean of 100 trees like cart, each on a bootstrap sample",
    .fit = fit_forest,
    .predict = predict,
    .release = release,
};
