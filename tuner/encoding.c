#include "encoding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "allocate.h"

enum { HALVINGS_MAX = 6, WIDE = 8 /* largest / smallest from which on the logarithm counts */ };

double encoding_number(const struct tuner_parameter *parameter, size_t index)
{
    return parameter->reals ? parameter->reals[index] : (double)parameter->values[index];
}

struct scale {
    double low, high;
    bool logarithmic;
};

static struct scale scale_of(const struct tuner_parameter *parameter)
{
    struct scale scale = {.low = INFINITY, .high = -INFINITY};

    for (size_t i = 0; i < parameter->count; i++) {
        scale.low = fmin(scale.low, encoding_number(parameter, i));
        scale.high = fmax(scale.high, encoding_number(parameter, i));
    }
    scale.logarithmic = scale.low > 0.0 && scale.high / scale.low >= WIDE;
    return scale;
}

static float place_in(const struct scale *scale, double number)
{
    if (scale->high <= scale->low)
        return 0.0f;
    if (scale->logarithmic)
        return (float)(log(number / scale->low) / log(scale->high / scale->low));
    return (float)((number - scale->low) / (scale->high - scale->low));
}

static float halvings_of(int64_t value)
{
    int count = 0;

    for (; count < HALVINGS_MAX && value % 2 == 0; value /= 2)
        count++;
    return (float)count / HALVINGS_MAX;
}

/* Powers of two have one column: the other would say the same. */
static size_t columns_of(const struct tuner_parameter *parameter)
{
    if (parameter->kind == TUNER_CATEGORY)
        return parameter->count;
    return parameter->kind == TUNER_INTEGER || parameter->kind == TUNER_VALUES ? 2 : 1;
}

static void fill_table(const struct tuner_parameter *parameter, float *table)
{
    const size_t columns = columns_of(parameter);
    const struct scale scale = scale_of(parameter);

    for (size_t i = 0; i < parameter->count; i++) {
        float *row = table + i * columns;
        if (parameter->kind == TUNER_CATEGORY) {
            row[i] = 1.0f;
            continue;
        }
        row[0] = place_in(&scale, encoding_number(parameter, i));
        if (columns == 2)
            row[1] = halvings_of(parameter->values[i]);
    }
}

static void choose_pairs(struct encoding *encoding)
{
    const struct tuner_space *space = encoding->space;
    size_t wide[TUNER_PARAMETERS_MAX], count = 0;

    for (size_t d = 0; d < tuner_space_dimensions(space); d++) {
        const struct tuner_parameter *parameter = tuner_space_parameter(space, d);
        if (parameter->kind != TUNER_CATEGORY && scale_of(parameter).logarithmic)
            wide[count++] = d;
    }
    if (count * (count - (count > 0)) / 2 > ENCODING_PAIRS_MAX)
        return; /* so many would drown the parameters themselves */
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            encoding->pair[encoding->pairs][0] = wide[i];
            encoding->pair[encoding->pairs++][1] = wide[j];
        }
}

enum dm_status encoding_open(struct encoding *encoding, const struct tuner_space *space)
{
    *encoding = (struct encoding){.space = space};
    for (size_t d = 0; d < tuner_space_dimensions(space); d++) {
        const struct tuner_parameter *parameter = tuner_space_parameter(space, d);
        encoding->columns[d] = columns_of(parameter);
        encoding->features += encoding->columns[d];
        encoding->table[d] = allocate(parameter->count * encoding->columns[d], sizeof(float));
        if (!encoding->table[d]) {
            encoding_close(encoding);
            return DM_NO_MEMORY;
        }
        fill_table(parameter, encoding->table[d]);
    }
    choose_pairs(encoding);
    encoding->features += encoding->pairs;
    return DM_OK;
}

void encoding_close(struct encoding *encoding)
{
    for (size_t d = 0; d < TUNER_PARAMETERS_MAX; d++)
        free(encoding->table[d]);
    *encoding = (struct encoding){0};
}

void encode_indices(const struct encoding *encoding, const size_t *indices, float *row)
{
    const float *columns[TUNER_PARAMETERS_MAX];

    for (size_t d = 0; d < tuner_space_dimensions(encoding->space); d++) {
        columns[d] = encoding->table[d] + indices[d] * encoding->columns[d];
        memcpy(row, columns[d], encoding->columns[d] * sizeof *row);
        row += encoding->columns[d];
    }
    for (size_t p = 0; p < encoding->pairs; p++)
        *row++ = 0.5f * (*columns[encoding->pair[p][0]] + *columns[encoding->pair[p][1]]);
}

void encode(const struct encoding *encoding, size_t configuration, float *row)
{
    size_t indices[TUNER_PARAMETERS_MAX];

    for (size_t d = 0; d < tuner_space_dimensions(encoding->space); d++)
        indices[d] = tuner_space_index(encoding->space, configuration, d);
    encode_indices(encoding, indices, row);
}
