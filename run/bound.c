#include "bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char separator[] = " | ";

/* Moves *text behind the word if it starts with it. */
static bool skip(const char **text, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0)
        return false;
    *text += length;
    return true;
}

/* A decimal number; moves *text behind it. */
static bool read_number(const char **text, double *number)
{
    const size_t length = strspn(*text, "+-.0123456789e");
    char *end;
    *number = strtod(*text, &end);
    if (length == 0 || end != *text + length || !isfinite(*number))
        return false;
    *text = end;
    return true;
}

/* `name: `, which may be missing. */
static const char *read_part(const char **text, struct bound *bound)
{
    const size_t length = strspn(*text, "abcdefghijklmnopqrstuvwxyz0123456789-");
    const bool named = length > 0 && strncmp(*text + length, ": ", 2) == 0;
    if (named && length >= BOUND_PART_LENGTH)
        return "the name of a part is too long";
    memcpy(bound->part, *text, named ? length : 0);
    bound->part[named ? length : 0] = '\0';
    *text += named ? length + 2 : 0;
    return NULL;
}

/* `= X`, `> X`, ... or `X .. Y`. */
static const char *read_range(const char **text, struct bound *bound)
{
    static const char wrong[] = "a bound is `>= X`, `> X`, `<= X`, `< X`, `= X` or `X .. Y`";
    const bool least = skip(text, ">= "), above = !least && skip(text, "> ");
    const bool most = !least && !above && skip(text, "<= ");
    const bool below = !least && !above && !most && skip(text, "< ");
    const bool equal = !least && !above && !most && !below && skip(text, "= ");
    double number;
    if (!read_number(text, &number))
        return wrong;
    bound->lower = most || below ? -INFINITY : number;
    bound->upper = least || above ? INFINITY : number;
    bound->lower_open = above;
    bound->upper_open = below;
    if (least || above || most || below || equal)
        return NULL;
    if (!skip(text, " .. ") || !read_number(text, &bound->upper))
        return wrong;
    return bound->lower <= bound->upper ? NULL : "the lower end lies above the upper one";
}

const char *bound_read(const char **text, struct bound *bound)
{
    const char *wrong = read_part(text, bound);
    if (!wrong)
        wrong = read_range(text, bound);
    if (wrong)
        return wrong;
    if (**text == '\0')
        *text = NULL;
    else if (!skip(text, separator))
        return "parts of a bound are separated by ` | `";
    return NULL;
}
