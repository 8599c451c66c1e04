#include "value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *value_of_index(const struct tuner_parameter *parameter, size_t index,
                           char buffer[TUNER_NAME_BYTES])
{
    if (parameter->words)
        return parameter->words[index];
    snprintf(buffer, TUNER_NAME_BYTES, "%" PRId64, parameter->values[index]);
    return buffer;
}

const char *value_text(const struct tuner_space *space, size_t configuration, size_t dimension,
                       char buffer[TUNER_NAME_BYTES])
{
    return value_of_index(tuner_space_parameter(space, dimension),
                          tuner_space_index(space, configuration, dimension), buffer);
}

bool value_find(const struct tuner_parameter *parameter, const char *text, size_t *index)
{
    char buffer[TUNER_NAME_BYTES];

    for (*index = 0; *index < parameter->count; ++*index)
        if (strcmp(value_of_index(parameter, *index, buffer), text) == 0)
            return true;
    return false;
}
