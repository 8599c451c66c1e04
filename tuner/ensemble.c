#include "ensemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/random.h"

#include "allocate.h"
#include "tree.h"

enum { TREES = 24, NEAREST = 4 };

/* The neighbours' part of a prediction; trees see interactions, neighbours see slopes. */
static const float NEIGHBOURS_PART = 0.5f;

struct ensemble {
    size_t count, features, tree_count;
    float *rows, *targets;
    struct tree trees[TREES];
};

static enum dm_status grow(struct ensemble *ensemble, struct tree_grower *grower, uint64_t seed)
{
    size_t count = ensemble->count;
    uint32_t *weights = allocate(count, sizeof *weights);
    enum dm_status status = weights ? DM_OK : DM_NO_MEMORY;

    for (size_t tree = 0; status == DM_OK && tree < TREES; tree++) {
        memset(weights, 0, count * sizeof *weights);
        for (size_t draw = 0; draw < count; draw++)
            weights[random_below(seed, tree * count + draw, count)]++;
        status = tree_grow(grower, weights, random_bits(seed, TREES * count + tree),
                           &ensemble->trees[tree]);
        ensemble->tree_count += status == DM_OK;
    }
    free(weights);
    return status;
}

static enum dm_status fill(struct ensemble *ensemble, uint64_t seed)
{
    struct tree_grower *grower;

    if (!ensemble->rows || !ensemble->targets)
        return DM_NO_MEMORY;
    TRY(tree_grower_open(&grower, ensemble->rows, ensemble->targets, ensemble->count,
                         ensemble->features));
    enum dm_status status = grow(ensemble, grower, seed);
    tree_grower_close(grower);
    return status;
}

enum dm_status ensemble_fit(struct ensemble **ensemble, const float *rows, const float *targets,
                            size_t count, size_t features, uint64_t seed)
{
    struct ensemble *made = allocate(1, sizeof *made);

    *ensemble = NULL;
    if (!made)
        return DM_NO_MEMORY;
    *made = (struct ensemble){.count = count,
                              .features = features,
                              .rows = allocate_copy(rows, count * features, sizeof *rows),
                              .targets = allocate_copy(targets, count, sizeof *targets)};
    enum dm_status status = fill(made, seed);
    if (status == DM_OK)
        *ensemble = made;
    else
        ensemble_free(made);
    return status;
}

void ensemble_free(struct ensemble *ensemble)
{
    if (!ensemble)
        return;
    for (size_t tree = 0; tree < ensemble->tree_count; tree++)
        free(ensemble->trees[tree].nodes);
    free(ensemble->rows);
    free(ensemble->targets);
    free(ensemble);
}

/* ---- predictions ---- */

static float distance(const float *a, const float *b, size_t features)
{
    float sum = 0.0f;

    for (size_t f = 0; f < features; f++)
        sum += (a[f] - b[f]) * (a[f] - b[f]);
    return sum;
}

/* The mean of the nearest samples, the nearer the heavier. */
static float ask_neighbours(const struct ensemble *ensemble, const float *row)
{
    float nearest[NEAREST], target[NEAREST], sum = 0.0f, weights = 0.0f;
    size_t found = 0;

    for (size_t i = 0; i < ensemble->count; i++) {
        float d = distance(row, ensemble->rows + i * ensemble->features, ensemble->features);
        if (found == NEAREST && !(d < nearest[found - 1]))
            continue;
        size_t place = found < NEAREST ? found++ : found - 1;
        for (; place > 0 && d < nearest[place - 1]; place--) {
            nearest[place] = nearest[place - 1];
            target[place] = target[place - 1];
        }
        nearest[place] = d;
        target[place] = ensemble->targets[i];
    }
    for (size_t k = 0; k < found; k++) {
        float weight = 1.0f / (nearest[k] + 1e-4f);
        sum += weight * target[k];
        weights += weight;
    }
    return sum / weights;
}

/* Behind the last row, its copies. */
static void gather(const struct ensemble *ensemble, const float *rows, size_t count, float *columns)
{
    for (size_t i = 0; i < TREE_ROWS; i++) {
        const float *row = rows + (i < count ? i : count - 1) * ensemble->features;
        for (size_t f = 0; f < ensemble->features; f++)
            columns[f * TREE_ROWS + i] = row[f];
    }
}

static void predict_some(const struct ensemble *ensemble, const float *rows, size_t count,
                         float *columns, float *mean, float *spread)
{
    double sums[TREE_ROWS] = {0}, squares[TREE_ROWS] = {0};

    gather(ensemble, rows, count, columns);
    for (size_t tree = 0; tree < TREES; tree++) {
        double one[TREE_ROWS] = {0};
        tree_add(&ensemble->trees[tree], columns, one);
        for (size_t i = 0; i < count; i++) {
            sums[i] += one[i];
            squares[i] += one[i] * one[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        double average = sums[i] / TREES, variance = squares[i] / TREES - average * average;
        float beside = ask_neighbours(ensemble, rows + i * ensemble->features);
        mean[i] = (1.0f - NEIGHBOURS_PART) * (float)average + NEIGHBOURS_PART * beside;
        spread[i] = (float)sqrt(fmax(variance, 0.0));
    }
}

enum dm_status ensemble_predict(const struct ensemble *ensemble, const float *rows, size_t count,
                                float *mean, float *spread)
{
    float *columns = allocate(ensemble->features * TREE_ROWS, sizeof *columns);

    if (!columns)
        return DM_NO_MEMORY;
    for (size_t first = 0; first < count; first += TREE_ROWS) {
        size_t some = count - first < TREE_ROWS ? count - first : TREE_ROWS;
        predict_some(ensemble, rows + first * ensemble->features, some, columns, mean + first,
                     spread + first);
    }
    free(columns);
    return DM_OK;
}
