/* expression.h: the expressions of a data base's `define` lines. */
#ifndef EXPRESSION_H
#define EXPRESSION_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>

#include <datamotion/status.h>

/* Whether names may contain the letter. */
static inline bool expression_is_name(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_' || letter == '.';
}

/* What a name stands for; DM_INVALID: nothing. */
typedef enum dm_status (*expression_name)(const void *context, const char *name, int64_t *value);

/* Evaluates + - * and parentheses over integers and names. DM_INVALID: the text is no such
 * expression, or a value on the way is beyond 64 bits. */
enum dm_status expression_evaluate(const char *text, expression_name meaning, const void *context,
                                   int64_t *value);

#endif
