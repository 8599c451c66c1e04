/* A space as numbers for models. */
#include <math.h>
#include <stdlib.h>

#include "allocate.h"
#include "space_internal.h"

enum { HALVINGS_MAX = 6 };

static bool is_aligned(const struct tuner_parameter *parameter, enum tuner_features features)
{
    return features == TUNER_ALIGNED &&
           (parameter->kind == TUNER_INTEGER || parameter->kind == TUNER_VALUES);
}

static size_t columns_of(const struct tuner_parameter *parameter, enum tuner_features features)
{
    size_t columns = parameter->kind == TUNER_CATEGORY ? parameter->count : 1;
    return columns + is_aligned(parameter, features);
}

size_t tuner_space_features(const struct tuner_space *space, enum tuner_features features)
{
    size_t columns = 0;
    for (size_t d = 0; d < space->dimensions; d++)
        columns += columns_of(&space->parameters[d], features);
    return columns;
}

static float halvings(int64_t value)
{
    int count = 0;
    for (; count < HALVINGS_MAX && value % 2 == 0; value /= 2)
        count++;
    return (float)count;
}

static float number_of(const struct tuner_parameter *parameter, int64_t value)
{
    if (parameter->reals)
        return (float)parameter->reals[value];
    return parameter->kind == TUNER_POWER2 ? (float)log2((double)value) : (float)value;
}

/* Writes the columns of a parameter, of which the first is at `column`. */
static void fill_columns(const struct tuner_space *space, size_t dimension,
                         enum tuner_features features, float *column, size_t columns)
{
    const struct tuner_parameter *parameter = &space->parameters[dimension];
    for (size_t i = 0; i < space->size; i++, column += columns) {
        int64_t value = tuner_space_value(space, i, dimension);
        if (parameter->kind == TUNER_CATEGORY)
            for (size_t word = 0; word < parameter->count; word++)
                column[word] = value == (int64_t)word;
        else
            *column = number_of(parameter, value);
        if (is_aligned(parameter, features))
            column[1] = halvings(value);
    }
}

/* A column that is the same everywhere becomes 0. */
static void scale_column(float *column, size_t size, size_t columns)
{
    float low = column[0], high = column[0];
    for (size_t i = 0; i < size; i++) {
        low = fminf(low, column[i * columns]);
        high = fmaxf(high, column[i * columns]);
    }
    for (size_t i = 0; i < size; i++) {
        float *value = &column[i * columns];
        *value = high > low ? (*value - low) / (high - low) : 0;
    }
}

enum dm_status tuner_space_matrix(const struct tuner_space *space, enum tuner_features features,
                                  float **matrix)
{
    size_t columns = tuner_space_features(space, features), at = 0;
    *matrix = allocate(space->size * columns, sizeof **matrix);
    if (!*matrix)
        return DM_NO_MEMORY;
    for (size_t d = 0; d < space->dimensions; d++) {
        fill_columns(space, d, features, *matrix + at, columns);
        at += columns_of(&space->parameters[d], features);
    }
    for (size_t column = 0; features == TUNER_SCALED && column < columns; column++)
        scale_column(*matrix + column, space->size, columns);
    return DM_OK;
}
