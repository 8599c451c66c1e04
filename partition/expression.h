/* expression.h: the expressions of a data base's `define` lines. */
#ifndef EXPRESSION_H
#define EXPRESSION_H

#include <ctype.h>

#include "partition.h"

/* Whether names may contain the letter. */
static inline bool expression_is_name(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_' || letter == '.';
}

/* What a name stands for; false with the reason: nothing. */
typedef bool (*expression_name)(void *context, const char *name, int64_t *value,
                                char reason[PARTITION_REASON]);

/* Evaluates + - * and parentheses over integers and names. False with the reason: the text is no
 * such expression, or a value on the way is beyond 64 bits. */
bool expression_evaluate(const char *text, expression_name meaning, void *context, int64_t *value,
                         char reason[PARTITION_REASON]);

#endif
