/* Spaces are made, released and queried. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "allocate.h"
#include "space_internal.h"

enum { EFFORT = 1 << 30, TEXT_MAX = 1 << 20 };

enum dm_status space_read_within(struct tuner_space **space, const char *text, size_t length,
                                 const char *name, size_t effort)
{
    *space = NULL;
    struct tuner_space *made = allocate(1, sizeof *made);
    struct constraints *constraints = allocate(1, sizeof *constraints);
    enum dm_status status = made && constraints ? DM_OK : DM_NO_MEMORY;
    if (status == DM_OK)
        status = space_parse(made, constraints, text, length, name);
    if (status == DM_OK)
        status = space_enumerate(made, constraints, effort, name);
    free(constraints);
    if (status == DM_OK)
        *space = made;
    else
        tuner_space_free(made);
    return status;
}

enum dm_status tuner_space_read(struct tuner_space **space, const char *text, size_t length,
                                const char *name)
{
    return space_read_within(space, text, length, name, EFFORT);
}

static enum dm_status read_text(const char *path, char *text, size_t *length)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return error_errno("%.400s cannot be read", path);
    enum dm_status status = DM_OK;
    *length = fread(text, 1, TEXT_MAX, file);
    if (ferror(file))
        status = error_errno("%.400s cannot be read", path);
    else if (*length == TEXT_MAX)
        status = dm_fail(DM_INVALID, "%.400s has more than %d bytes", path, TEXT_MAX - 1);
    fclose(file);
    return status;
}

enum dm_status tuner_space_load(struct tuner_space **space, const char *path)
{
    size_t length = 0;
    *space = NULL;
    char *text = allocate(TEXT_MAX, 1);
    if (!text)
        return DM_NO_MEMORY;
    enum dm_status status = read_text(path, text, &length);
    if (status == DM_OK)
        status = tuner_space_read(space, text, length, path);
    free(text);
    return status;
}

void tuner_space_free(struct tuner_space *space)
{
    if (!space)
        return;
    for (size_t d = 0; d < space->dimensions; d++) {
        free(space->parameters[d].values);
        free(space->parameters[d].words);
        free(space->parameters[d].reals);
    }
    free(space->indices);
    free(space);
}

size_t tuner_space_size(const struct tuner_space *space)
{
    return space->size;
}

size_t tuner_space_dimensions(const struct tuner_space *space)
{
    return space->dimensions;
}

const struct tuner_parameter *tuner_space_parameter(const struct tuner_space *space,
                                                    size_t dimension)
{
    return &space->parameters[dimension];
}

size_t tuner_space_index(const struct tuner_space *space, size_t configuration, size_t dimension)
{
    return space->indices[configuration * space->dimensions + dimension];
}

int64_t tuner_space_value(const struct tuner_space *space, size_t configuration, size_t dimension)
{
    return space->parameters[dimension].values[tuner_space_index(space, configuration, dimension)];
}

/* As strcmp does, in the order of configurations. */
static int compare_configuration(const struct tuner_space *space, size_t configuration,
                                 const size_t *indices)
{
    for (size_t d = 0; d < space->dimensions; d++) {
        size_t index = tuner_space_index(space, configuration, d);
        if (index != indices[d])
            return index < indices[d] ? -1 : 1;
    }
    return 0;
}

bool tuner_space_find(const struct tuner_space *space, const size_t *indices, size_t *configuration)
{
    size_t low = 0, high = space->size;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_configuration(space, middle, indices);
        if (order == 0) {
            *configuration = middle;
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool tuner_space_dimension_of(const struct tuner_space *space, const char *name, size_t *dimension)
{
    for (size_t d = 0; d < space->dimensions; d++)
        if (strcmp(space->parameters[d].name, name) == 0) {
            *dimension = d;
            return true;
        }
    return false;
}

void tuner_space_describe(const struct tuner_space *space, size_t configuration, char *text,
                          size_t size)
{
    size_t used = 0;
    if (size)
        text[0] = 0;
    for (size_t d = 0; d < space->dimensions && used < size; d++) {
        const struct tuner_parameter *parameter = &space->parameters[d];
        int64_t value = tuner_space_value(space, configuration, d);
        const char *blank = d ? " " : "";
        int length = parameter->words ? snprintf(text + used, size - used, "%s%s=%s", blank,
                                                 parameter->name, parameter->words[value])
                                      : snprintf(text + used, size - used, "%s%s=%lld", blank,
                                                 parameter->name, (long long)value);
        used += (size_t)length;
    }
}
