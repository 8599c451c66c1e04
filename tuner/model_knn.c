/* knn: the mean of the nearest samples; of samples equally far away the earlier one is nearer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "allocate.h"
#include "models.h"

enum { NEIGHBOURS = 5 };

struct tuner_model {
    size_t count, features;
    float *columns; /* feature f of sample i: columns[f * count + i] */
    float *targets;
};

static void release(struct tuner_model *model)
{
    if (!model)
        return;
    free(model->columns);
    free(model->targets);
    free(model);
}

static enum dm_status fit(struct tuner_model **model, const float *rows, const float *targets,
                          size_t count, size_t features, uint64_t seed)
{
    struct tuner_model *made = allocate(1, sizeof *made);

    (void)seed; /* nothing is random */
    *model = NULL;
    if (!made)
        return DM_NO_MEMORY;
    *made = (struct tuner_model){.count = count,
                                 .features = features,
                                 .columns = allocate(features * count, sizeof *made->columns),
                                 .targets = allocate_copy(targets, count, sizeof *targets)};
    if (!made->columns || !made->targets) {
        release(made);
        return DM_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t f = 0; f < features; f++)
            made->columns[f * count + i] = rows[i * features + f];
    *model = made;
    return DM_OK;
}

/* Squared distances of all samples from the row. */
static void measure_distances(const struct tuner_model *model, const float *row, float *distances)
{
    memset(distances, 0, model->count * sizeof *distances);
    for (size_t f = 0; f < model->features; f++) {
        const float *column = model->columns + f * model->count;
        for (size_t i = 0; i < model->count; i++) {
            float difference = column[i] - row[f];
            distances[i] += difference * difference;
        }
    }
}

static float mean_of_nearest(const struct tuner_model *model, const float *distances)
{
    size_t nearest[NEIGHBOURS], found = 0; /* in ascending order */
    double sum = 0;

    for (size_t i = 0; i < model->count; i++) {
        if (found == NEIGHBOURS && !(distances[i] < distances[nearest[found - 1]]))
            continue;
        size_t place = found < NEIGHBOURS ? found++ : found - 1;
        for (; place > 0 && distances[i] < distances[nearest[place - 1]]; place--)
            nearest[place] = nearest[place - 1];
        nearest[place] = i;
    }
    for (size_t k = 0; k < found; k++)
        sum += model->targets[nearest[k]];
    return (float)(sum / (double)found);
}

static enum dm_status predict(const struct tuner_model *model, const float *rows,
                              const uint32_t *which, size_t count, float *result)
{
    float *distances = allocate(model->count, sizeof *distances);

    if (!distances)
        return DM_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        measure_distances(model, row_of(rows, which, i, model->features), distances);
        result[i] = mean_of_nearest(model, distances);
    }
    free(distances);
    return DM_OK;
}

const struct tuner_model_kind model_knn = {
    .name = "knn",
    .meaning = "the mean of the 5 nearest samples, by Euclidean distance",
    .fit = fit,
    .predict = predict,
    .release = release,
};
