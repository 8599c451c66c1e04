/* A space that is a list of configurations. */
#include <stdlib.h>
#include <string.h>

#include "status.h"
#include "tuner_space_private.h"

struct place {
    int64_t value;
    uint32_t index;
};

static int compare_places(const void *a, const void *b)
{
    int64_t left = ((const struct place *)a)->value, right = ((const struct place *)b)->value;
    return (left > right) - (left < right);
}

static int compare_rows(const void *a, const void *b, void *dimensions)
{
    const uint32_t *left = a, *right = b;
    for (size_t d = 0; d < *(const size_t *)dimensions; d++)
        if (left[d] != right[d])
            return left[d] < right[d] ? -1 : 1;
    return 0;
}

static void *copy_of(const void *source, size_t count, size_t bytes)
{
    void *copy = allocate_or_fail(count, bytes);
    if (count)
        memcpy(copy, source, count * bytes);
    return copy;
}

static void copy_parameters(struct tuner_space *space, const struct tuner_parameter *parameters)
{
    for (size_t d = 0; d < space->dimensions; d++) {
        struct tuner_parameter *parameter = &space->parameters[d];
        *parameter = parameters[d];
        parameter->values = copy_of(parameter->values, parameter->count, sizeof *parameter->values);
        if (parameter->words)
            parameter->words =
                copy_of(parameter->words, parameter->count, sizeof *parameter->words);
    }
}

/* Writes one column of indices. false: a value is not the parameter's. */
static bool find_indices(struct tuner_space *space, size_t dimension, const int64_t *rows,
                         const char **complaint)
{
    const struct tuner_parameter *parameter = &space->parameters[dimension];
    struct place *places = allocate_or_fail(parameter->count, sizeof *places);
    for (size_t i = 0; i < parameter->count; i++)
        places[i] = (struct place){.value = parameter->values[i], .index = (uint32_t)i};
    qsort(places, parameter->count, sizeof *places, compare_places);
    bool good = true;
    for (size_t row = 0; good && row < space->size; row++) {
        size_t at = row * space->dimensions + dimension;
        struct place key = {.value = rows[at]};
        const struct place *place =
            bsearch(&key, places, parameter->count, sizeof *places, compare_places);
        good = place != NULL;
        if (good)
            space->indices[at] = place->index;
        else
            *complaint = tuner_space_complain(NULL, 0, "%lld is not among the values of %s",
                                              (long long)rows[at], parameter->name);
    }
    free(places);
    return good;
}

static bool sort_rows(struct tuner_space *space, const char **complaint)
{
    size_t bytes = space->dimensions * sizeof *space->indices;
    qsort_r(space->indices, space->size, bytes, compare_rows, &space->dimensions);
    for (size_t row = 1; row < space->size; row++) {
        const uint32_t *indices = space->indices + row * space->dimensions;
        if (memcmp(indices - space->dimensions, indices, bytes) == 0) {
            char text[256];
            tuner_space_describe(space, row, text, sizeof text);
            *complaint = tuner_space_complain(NULL, 0, "there are two rows for %s", text);
            return false;
        }
    }
    return true;
}

struct tuner_space *tuner_space_of_rows(const struct tuner_parameter *parameters,
                                        size_t parameter_count, const int64_t *rows,
                                        size_t row_count, const char **complaint)
{
    if (parameter_count == 0 || parameter_count > TUNER_PARAMETERS) {
        *complaint = tuner_space_complain(NULL, 0, "a space has 1 to %d parameters, not %zu",
                                          TUNER_PARAMETERS, parameter_count);
        return NULL;
    }
    if (row_count == 0 || row_count > TUNER_CONFIGURATIONS) {
        *complaint = tuner_space_complain(NULL, 0, "a space has 1 to %d configurations, not %zu",
                                          TUNER_CONFIGURATIONS, row_count);
        return NULL;
    }
    struct tuner_space *space = allocate_or_fail(1, sizeof *space);
    space->dimensions = parameter_count;
    space->size = row_count;
    copy_parameters(space, parameters);
    space->indices = allocate_or_fail(row_count * parameter_count, sizeof *space->indices);
    bool good = true;
    for (size_t d = 0; good && d < parameter_count; d++)
        good = find_indices(space, d, rows, complaint);
    if (good && sort_rows(space, complaint))
        return space;
    tuner_space_free(space);
    return NULL;
}
