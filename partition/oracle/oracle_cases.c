/* oracle_cases.c: reads a line that describes a launch. */
#include "oracle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(char reason[PARTITION_REASON], const char *what, const char *text)
{
    snprintf(reason, PARTITION_REASON, "%s: '%s'", what, text ? text : "");
    return false;
}

static bool parse_number(const char *text, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return end != text && *end == 0 && errno == 0;
}

static bool parse_size(const char *text, unsigned size[3])
{
    int end = 0;
    bool good = text && sscanf(text, "%ux%ux%u%n", &size[0], &size[1], &size[2], &end) == 3;
    return good && text[end] == 0 && size[0] > 0 && size[1] > 0 && size[2] > 0;
}

static bool parse_scalar(char *word, struct oracle_case *out)
{
    char *equals = strchr(word, '=');
    if (!equals || out->scalar_count == ORACLE_SCALARS)
        return false;
    *equals = 0;
    out->scalars[out->scalar_count].name = word;
    return parse_number(equals + 1, &out->scalars[out->scalar_count++].value);
}

bool oracle_parse(char *line, struct oracle_case *out, char reason[PARTITION_REASON])
{
    const char *space = " \t\n";
    char *rest, *word;
    int64_t elements;
    *out = (struct oracle_case){.kernel = strtok_r(line, space, &rest)};
    if (!parse_size(word = strtok_r(NULL, space, &rest), out->shape.grid))
        return refuse(reason, "not a grid", word);
    if (!parse_size(word = strtok_r(NULL, space, &rest), out->shape.block))
        return refuse(reason, "not a block", word);
    word = strtok_r(NULL, space, &rest);
    if (!word || !parse_number(word, &elements) || elements <= 0)
        return refuse(reason, "not a number of elements", word);
    out->elements = (size_t)elements;
    while ((word = strtok_r(NULL, space, &rest)))
        if (!parse_scalar(word, out))
            return refuse(reason, "not NAME=VALUE", word);
    return true;
}
