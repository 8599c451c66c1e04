/* oracle_cases.c: reads a line that describes a launch. */
#include "oracle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

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

__attribute__((noreturn)) static void wrong(const struct oracle_case *its, const char *what,
                                            const char *text)
{
    fail("case of %s: %s: '%s'", its->kernel, what, text ? text : "");
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

void oracle_parse(char *line, struct oracle_case *out)
{
    const char *space = " \t\n";
    char *rest, *word;
    int64_t elements;
    *out = (struct oracle_case){.kernel = strtok_r(line, space, &rest)};
    if (!parse_size(word = strtok_r(NULL, space, &rest), out->shape.grid))
        wrong(out, "not a grid", word);
    if (!parse_size(word = strtok_r(NULL, space, &rest), out->shape.block))
        wrong(out, "not a block", word);
    word = strtok_r(NULL, space, &rest);
    if (!word || !parse_number(word, &elements) || elements <= 0)
        wrong(out, "not a number of elements", word);
    out->elements = (size_t)elements;
    while ((word = strtok_r(NULL, space, &rest)))
        if (!parse_scalar(word, out))
            wrong(out, "not NAME=VALUE", word);
}
