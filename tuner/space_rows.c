/* A space that is a list of configurations. */
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "allocate.h"
#include "space_internal.h"

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

/* The space has copies, or NULL in their place. */
static enum dm_status copy_parameters(struct tuner_space *space,
                                      const struct tuner_parameter *parameters)
{
    enum dm_status status = DM_OK;
    for (size_t d = 0; d < space->dimensions; d++) {
        const struct tuner_parameter *from = &parameters[d];
        struct tuner_parameter *to = &space->parameters[d];
        *to = *from;
        to->values = allocate_copy(from->values, from->count, sizeof *from->values);
        if (from->words)
            to->words = allocate_copy(from->words, from->count, sizeof *from->words);
        if (from->reals)
            to->reals = allocate_copy(from->reals, from->count, sizeof *from->reals);
        if (!to->values || (from->words && !to->words) || (from->reals && !to->reals))
            status = DM_NO_MEMORY;
    }
    return status;
}

/* Writes one column of indices. */
static enum dm_status find_indices(struct tuner_space *space, size_t dimension, const int64_t *rows)
{
    const struct tuner_parameter *parameter = &space->parameters[dimension];
    struct place *places = allocate(parameter->count, sizeof *places);
    if (!places)
        return DM_NO_MEMORY;
    for (size_t i = 0; i < parameter->count; i++)
        places[i] = (struct place){.value = parameter->values[i], .index = (uint32_t)i};
    qsort(places, parameter->count, sizeof *places, compare_places);
    enum dm_status status = DM_OK;
    for (size_t row = 0; row < space->size && status == DM_OK; row++) {
        size_t at = row * space->dimensions + dimension;
        struct place key = {.value = rows[at]};
        const struct place *place =
            bsearch(&key, places, parameter->count, sizeof *places, compare_places);
        if (place)
            space->indices[at] = place->index;
        else
            status = dm_fail(DM_INVALID, "%lld is not among the values of %s", (long long)rows[at],
                             parameter->name);
    }
    free(places);
    return status;
}

static enum dm_status sort_rows(struct tuner_space *space)
{
    size_t bytes = space->dimensions * sizeof *space->indices;
    qsort_r(space->indices, space->size, bytes, compare_rows, &space->dimensions);
    for (size_t row = 1; row < space->size; row++) {
        const uint32_t *indices = space->indices + row * space->dimensions;
        if (memcmp(indices - space->dimensions, indices, bytes) == 0) {
            char text[256];
            tuner_space_describe(space, row, text, sizeof text);
            return dm_fail(DM_INVALID, "there are two rows for %s", text);
        }
    }
    return DM_OK;
}

static enum dm_status fill(struct tuner_space *space, const struct tuner_parameter *parameters,
                           const int64_t *rows)
{
    TRY(copy_parameters(space, parameters));
    space->indices = allocate(space->size * space->dimensions, sizeof *space->indices);
    if (!space->indices)
        return DM_NO_MEMORY;
    for (size_t d = 0; d < space->dimensions; d++)
        TRY(find_indices(space, d, rows));
    return sort_rows(space);
}

enum dm_status tuner_space_of_rows(struct tuner_space **space,
                                   const struct tuner_parameter *parameters, size_t parameter_count,
                                   const int64_t *rows, size_t row_count)
{
    *space = NULL;
    if (parameter_count == 0 || parameter_count > TUNER_PARAMETERS_MAX)
        return dm_fail(DM_INVALID, "a space has 1 to %d parameters, not %zu", TUNER_PARAMETERS_MAX,
                       parameter_count);
    if (row_count == 0 || row_count > TUNER_CONFIGURATIONS_MAX)
        return dm_fail(DM_INVALID, "a space has 1 to %d configurations, not %zu",
                       TUNER_CONFIGURATIONS_MAX, row_count);
    struct tuner_space *made = allocate(1, sizeof *made);
    if (!made)
        return DM_NO_MEMORY;
    made->dimensions = parameter_count;
    made->size = row_count;
    enum dm_status status = fill(made, parameters, rows);
    if (status == DM_OK)
        *space = made;
    else
        tuner_space_free(made);
    return status;
}
