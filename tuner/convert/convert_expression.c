/* Expressions and lists between C's and Python's syntax, token by token. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "convert.h"

/* The longer of two that begin alike comes first. */
static const struct {
    const char *ours, *python;
} signs[] = {{"&&", " and "}, {"||", " or "}, {"==", "=="}, {"!=", "!="}, {"<=", "<="},
             {">=", ">="},    {"!", " not "}, {"/", "//"},  {"<", "<"},   {">", ">"},
             {"+", "+"},      {"-", "-"},     {"*", "*"},   {"%", "%"},   {"(", "("},
             {")", ")"},      {",", ","},     {" ", " "},   {"\t", " "}};

static const struct {
    const char *python, *ours; /* NULL: there is none */
} words[] = {{"and", "&&"}, {"or", "||"}, {"not", "!"},     {"True", "1"}, {"False", "0"},
             {"in", NULL},  {"if", NULL}, {"lambda", NULL}, {"for", NULL}, {"is", NULL}};

static bool is_name(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_' || letter == '.';
}

/* The length of a text in quotes at `at`; 0 if its end is missing. */
static size_t quoted(const char *at)
{
    const char *end = strchr(at + 1, *at);
    return end ? (size_t)(end - at) + 1 : 0;
}

static size_t write_sign(FILE *out, const char *at)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t length = strlen(signs[i].ours);
        if (strncmp(at, signs[i].ours, length) == 0) {
            fputs(signs[i].python, out);
            return length;
        }
    }
    return 0;
}

static enum dm_status finish(FILE *out, char **text, enum dm_status status)
{
    if (fclose(out) == 0 && status == DM_OK)
        return DM_OK;
    free(*text);
    *text = NULL;
    return status == DM_OK ? error_no_memory(1) : status;
}

static enum dm_status write_python(FILE *out, const char *at, const char *end)
{
    while (at < end && *at != '#') {
        size_t length = 0;
        if (*at == '"') {
            length = quoted(at);
            fwrite(at, 1, length, out);
        } else if (is_name(*at)) {
            while (at + length < end && is_name(at[length]))
                length++;
            fwrite(at, 1, length, out);
        } else {
            length = write_sign(out, at);
        }
        if (length == 0)
            return dm_fail(DM_INVALID, "a constraint has `%.20s`", at);
        at += length;
    }
    return DM_OK;
}

enum dm_status convert_to_python(char **python, const char *expression, size_t length)
{
    size_t bytes;
    FILE *out = open_memstream(python, &bytes);

    if (!out)
        return error_no_memory(length);
    return finish(out, python, write_python(out, expression, expression + length));
}

/* ---- from Python ---- */

static enum dm_status write_word(FILE *out, const char *at, size_t length)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].python) == length && memcmp(words[i].python, at, length) == 0) {
            if (!words[i].ours)
                return dm_fail(DM_INVALID, "a condition has `%s`, which constraints have not",
                               words[i].python);
            fputs(words[i].ours, out);
            return DM_OK;
        }
    fwrite(at, 1, length, out);
    return DM_OK;
}

/* a // b drops the remainder, as / between whole numbers does here; Python's a / b does not. C's
 * signs && || ! are accepted, too. */
static size_t write_operator(FILE *out, const char *at)
{
    if (strncmp(at, "**", 2) == 0)
        return 0;
    if (strncmp(at, "//", 2) == 0) {
        fputs("/", out);
        return 2;
    }
    if (*at == '/') {
        fputs("* 1.0 /", out);
        return 1;
    }
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t length = strlen(signs[i].ours);
        if (strncmp(at, signs[i].ours, length) == 0) {
            fputs(signs[i].ours, out);
            return length;
        }
    }
    return 0;
}

static enum dm_status write_ours(FILE *out, const char *python)
{
    int comparisons = 0; /* of a <= b <= c, which means something else here */

    for (const char *at = python; *at;) {
        size_t length = 0;
        if (*at == '"' || *at == '\'') {
            length = quoted(at);
            if (length)
                fprintf(out, "\"%.*s\"", (int)length - 2, at + 1);
            comparisons = 0;
        } else if (is_name(*at)) {
            while (is_name(at[length]))
                length++;
            TRY(write_word(out, at, length));
            if (length >= 2 && (memcmp(at, "and", 2) == 0 || memcmp(at, "or", 2) == 0))
                comparisons = 0;
        } else {
            comparisons += strchr("<>", *at) != NULL;
            if (strchr("()&|", *at))
                comparisons = 0;
            length = write_operator(out, at);
        }
        if (length == 0 || comparisons > 1)
            return dm_fail(DM_INVALID, "the condition %s has `%.20s`, which constraints have not",
                           python, at);
        at += length;
    }
    return DM_OK;
}

enum dm_status convert_from_python(char **expression, const char *python)
{
    size_t bytes;
    FILE *out = open_memstream(expression, &bytes);

    if (!out)
        return error_no_memory(strlen(python));
    return finish(out, expression, write_ours(out, python));
}

/* ---- values ---- */

/* Python's list as JSON's: other quotes, other names of truth. */
static enum dm_status write_list(FILE *out, const char *python)
{
    for (const char *at = python; *at;) {
        size_t length = 1;
        if (*at == '"' || *at == '\'') {
            length = quoted(at);
            if (length == 0)
                return dm_fail(DM_INVALID, "the values %s have a quote without an end", python);
            fprintf(out, "\"%.*s\"", (int)length - 2, at + 1);
        } else if (strncmp(at, "True", 4) == 0 || strncmp(at, "False", 5) == 0) {
            length = *at == 'T' ? 4 : 5;
            fputs(*at == 'T' ? "true" : "false", out);
        } else if (at[0] == ',' && at[1 + strspn(at + 1, " ")] == ']') {
            length = 1; /* Python allows a comma at the end */
        } else {
            fputc(*at, out);
        }
        at += length;
    }
    return DM_OK;
}

enum dm_status convert_values(json_t **values, const char *python)
{
    char *list = NULL;
    size_t bytes;
    json_error_t error;
    FILE *out = open_memstream(&list, &bytes);

    if (!out)
        return error_no_memory(strlen(python));
    TRY(finish(out, &list, write_list(out, python)));
    *values = json_loads(list, 0, &error);
    free(list);
    if (json_is_array(*values) && json_array_size(*values) > 0)
        return DM_OK;
    json_decref(*values);
    *values = NULL;
    return dm_fail(DM_INVALID, "the values %.100s are not a list of numbers or texts", python);
}
