/* value.h: values of parameters as text. */
#ifndef TUNER_VALUE_H
#define TUNER_VALUE_H

#include <datamotion/tuner_space.h>

/* The number or the word, in `buffer` if need be. */
const char *value_text(const struct tuner_space *space, size_t configuration, size_t dimension,
                       char buffer[TUNER_NAME_BYTES]);

/* The same of a parameter's value. */
const char *value_of_index(const struct tuner_parameter *parameter, size_t index,
                           char buffer[TUNER_NAME_BYTES]);

/* The index among the parameter's values of the one with this text; false if there is none. */
bool value_find(const struct tuner_parameter *parameter, const char *text, size_t *index);

#endif
