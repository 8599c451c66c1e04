/* knn: the mean of the nearest samples; of samples equally far away the earlier one is nearer. */
#include "status.h"
#include "tuner_model_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEIGHBOURS = 5 };

struct tuner_model {
    size_t count, features;
    float *columns; /* feature f of sample i: columns[f * count + i] */
    float *targets;
};

static struct tuner_model *fit(const float *rows, const float *targets, size_t count,
                               size_t features, uint64_t seed)
{
    struct tuner_model *model = allocate_or_fail(1, sizeof *model);

    (void)seed; /* nothing is random */
    *model = (struct tuner_model){
        .count = count,
        .features = features,
        .columns = allocate_or_fail(features * count, sizeof *model->columns),
        .targets = allocate_or_fail(count, sizeof *model->targets),
    };
    memcpy(model->targets, targets, count * sizeof *targets);
    for (size_t i = 0; i < count; i++)
        for (size_t f = 0; f < features; f++)
            model->columns[f * count + i] = rows[i * features + f];
    return model;
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

static void predict(const struct tuner_model *model, const float *rows, const uint32_t *which,
                    size_t count, float *result)
{
    float *distances = allocate_or_fail(model->count, sizeof *distances);

    for (size_t i = 0; i < count; i++) {
        measure_distances(model, tuner_model_row(rows, which, i, model->features), distances);
        result[i] = mean_of_nearest(model, distances);
    }
    free(distances);
}

static void release(struct tuner_model *model)
{
    free(model->columns);
    free(model->targets);
    free(model);
}

const struct tuner_model_kind tuner_knn = {
    .name = "knn",
    .meaning = "the mean of the 5 nearest samples, by Euclidean distance",
    .fit = fit,
    .predict = predict,
    .release = release,
};
