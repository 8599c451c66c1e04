/* Spaces: made, released and asked. */
#include "tuner_space.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"
#include "tuner_complain.h"
#include "tuner_space_private.h"

enum { EFFORT = 1 << 30, MOST_TEXT = 1 << 20 };

const char *tuner_space_complain(const char *name, size_t line, const char *format, ...)
{
    const char *sentence;
    char reason[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (line)
        tuner_complain(&sentence, "%.400s:%zu: %s", name, line, reason);
    else if (name)
        tuner_complain(&sentence, "%.400s: %s", name, reason);
    else
        tuner_complain(&sentence, "%s", reason);
    return sentence;
}

struct tuner_space *tuner_space_read_within(const char *text, size_t length, const char *name,
                                            size_t effort, const char **complaint)
{
    struct tuner_space *space = allocate_or_fail(1, sizeof *space);
    struct tuner_constraints *constraints = allocate_or_fail(1, sizeof *constraints);
    bool good = tuner_space_parse(text, length, name, space, constraints, complaint) &&
                tuner_space_enumerate(space, constraints, effort, name, complaint);
    free(constraints);
    if (good)
        return space;
    tuner_space_free(space);
    return NULL;
}

struct tuner_space *tuner_space_read(const char *text, size_t length, const char *name,
                                     const char **complaint)
{
    return tuner_space_read_within(text, length, name, EFFORT, complaint);
}

struct tuner_space *tuner_space_load(const char *path, const char **complaint)
{
    struct tuner_space *space = NULL;
    char *text = allocate_or_fail(MOST_TEXT, 1);
    errno = 0;
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, MOST_TEXT, file) : 0;
    if (!file || ferror(file))
        *complaint = tuner_space_complain(path, 0, "cannot be read: %s", strerror(errno));
    else if (length == MOST_TEXT)
        *complaint = tuner_space_complain(path, 0, "has more than %d bytes", MOST_TEXT - 1);
    else
        space = tuner_space_read(text, length, path, complaint);
    free(text);
    if (file)
        fclose(file);
    return space;
}

void tuner_space_free(struct tuner_space *space)
{
    if (!space)
        return;
    for (size_t d = 0; d < space->dimensions; d++) {
        free(space->parameters[d].values);
        free(space->parameters[d].words);
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
