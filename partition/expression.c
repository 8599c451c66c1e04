/* expression.c: evaluates sums and products of integers and names by recursive descent. */
#include "expression.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

enum { DEPTH_MAX = 64, NAME_BYTES = 128 };

struct expression {
    expression_name meaning;
    const void *context;
    const char *at;
    int depth;
};

static enum dm_status sum(struct expression *expression, int64_t *value);

static void skip_spaces(struct expression *expression)
{
    while (isspace((unsigned char)*expression->at))
        expression->at++;
}

static bool accept(struct expression *expression, char letter)
{
    skip_spaces(expression);
    if (*expression->at != letter)
        return false;
    expression->at++;
    return true;
}

static enum dm_status wrong(const struct expression *expression, const char *why)
{
    return dm_fail(DM_INVALID, "%s at '%.60s'", why, expression->at);
}

static enum dm_status number(struct expression *expression, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(expression->at, &end, 10);
    if (errno)
        return wrong(expression, "a number that is too large");
    expression->at = end;
    return DM_OK;
}

static enum dm_status name(struct expression *expression, int64_t *value)
{
    char word[NAME_BYTES];
    size_t length = 0;
    while (expression_is_name(expression->at[length]))
        length++;
    if (length >= sizeof word)
        return wrong(expression, "a name that is too long");
    memcpy(word, expression->at, length);
    word[length] = 0;
    expression->at += length;
    return expression->meaning(expression->context, word, value);
}

static enum dm_status negative(struct expression *expression, int64_t *value);

static enum dm_status factor(struct expression *expression, int64_t *value)
{
    if (++expression->depth > DEPTH_MAX)
        return wrong(expression, "nested too deeply");
    skip_spaces(expression);
    if (accept(expression, '-')) {
        TRY(negative(expression, value));
    } else if (accept(expression, '(')) {
        TRY(sum(expression, value));
        if (!accept(expression, ')'))
            return wrong(expression, "')' expected");
    } else if (isdigit((unsigned char)*expression->at)) {
        TRY(number(expression, value));
    } else if (expression_is_name(*expression->at)) {
        TRY(name(expression, value));
    } else {
        return wrong(expression, "a number or a name expected");
    }
    expression->depth--;
    return DM_OK;
}

/* Behind the sign. */
static enum dm_status negative(struct expression *expression, int64_t *value)
{
    TRY(factor(expression, value));
    return __builtin_sub_overflow(0, *value, value) ? wrong(expression, "overflow") : DM_OK;
}

static enum dm_status product(struct expression *expression, int64_t *value)
{
    TRY(factor(expression, value));
    while (accept(expression, '*')) {
        int64_t other;
        TRY(factor(expression, &other));
        if (__builtin_mul_overflow(*value, other, value))
            return wrong(expression, "overflow");
    }
    return DM_OK;
}

static enum dm_status sum(struct expression *expression, int64_t *value)
{
    TRY(product(expression, value));
    for (;;) {
        int64_t other;
        bool minus = accept(expression, '-');
        if (!minus && !accept(expression, '+'))
            return DM_OK;
        TRY(product(expression, &other));
        if (minus ? __builtin_sub_overflow(*value, other, value)
                  : __builtin_add_overflow(*value, other, value))
            return wrong(expression, "overflow");
    }
}

enum dm_status expression_evaluate(const char *text, expression_name meaning, const void *context,
                                   int64_t *value)
{
    struct expression expression = {meaning, context, text, 0};
    TRY(sum(&expression, value));
    skip_spaces(&expression);
    return *expression.at == 0 ? DM_OK : wrong(&expression, "an operator expected");
}
