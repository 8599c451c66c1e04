/* expression.c: evaluates sums and products of integers and names by recursive descent. */
#include "expression.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 64, MOST_NAME = 128 };

struct expression {
    expression_name meaning;
    void *context;
    const char *at;
    int depth;
    char *reason;
};

static bool sum(struct expression *expression, int64_t *value);

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

static bool wrong(struct expression *expression, const char *why)
{
    snprintf(expression->reason, PARTITION_REASON, "%s at '%.60s'", why, expression->at);
    return false;
}

static bool number(struct expression *expression, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(expression->at, &end, 10);
    if (errno)
        return wrong(expression, "a number that is too large");
    expression->at = end;
    return true;
}

static bool name(struct expression *expression, int64_t *value)
{
    char word[MOST_NAME];
    size_t length = 0;
    while (expression_is_name(expression->at[length]))
        length++;
    if (length >= sizeof word)
        return wrong(expression, "a name that is too long");
    memcpy(word, expression->at, length);
    word[length] = 0;
    expression->at += length;
    return expression->meaning(expression->context, word, value, expression->reason);
}

static bool factor(struct expression *expression, int64_t *value)
{
    bool good;
    if (++expression->depth > MOST_DEPTH)
        return wrong(expression, "nested too deeply");
    skip_spaces(expression);
    if (accept(expression, '-'))
        good = factor(expression, value) &&
               (!__builtin_sub_overflow(0, *value, value) || wrong(expression, "overflow"));
    else if (accept(expression, '('))
        good = sum(expression, value) &&
               (accept(expression, ')') || wrong(expression, "')' expected"));
    else if (isdigit((unsigned char)*expression->at))
        good = number(expression, value);
    else if (expression_is_name(*expression->at))
        good = name(expression, value);
    else
        good = wrong(expression, "a number or a name expected");
    expression->depth--;
    return good;
}

static bool product(struct expression *expression, int64_t *value)
{
    if (!factor(expression, value))
        return false;
    while (accept(expression, '*')) {
        int64_t other;
        if (!factor(expression, &other))
            return false;
        if (__builtin_mul_overflow(*value, other, value))
            return wrong(expression, "overflow");
    }
    return true;
}

static bool sum(struct expression *expression, int64_t *value)
{
    if (!product(expression, value))
        return false;
    for (;;) {
        int64_t other;
        bool minus = accept(expression, '-');
        if (!minus && !accept(expression, '+'))
            return true;
        if (!product(expression, &other))
            return false;
        if (minus ? __builtin_sub_overflow(*value, other, value)
                  : __builtin_add_overflow(*value, other, value))
            return wrong(expression, "overflow");
    }
}

bool expression_evaluate(const char *text, expression_name meaning, void *context, int64_t *value,
                         char reason[PARTITION_REASON])
{
    struct expression expression = {meaning, context, text, 0, reason};
    if (!sum(&expression, value))
        return false;
    skip_spaces(&expression);
    return *expression.at == 0 || wrong(&expression, "an operator expected");
}
