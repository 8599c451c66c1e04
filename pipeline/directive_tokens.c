/* The words, numbers and signs of a directive, and how a parser takes them. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "directive_internal.h"

bool directive_fail(struct directive_error *error, struct directive_place place, const char *format,
                    ...)
{
    error->line = place.line;
    error->column = place.column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- reading ---- */

struct reader {
    const char *text;
    int at, line, line_start;
};

static struct directive_place here(const struct reader *reader)
{
    return (struct directive_place){reader->line, reader->at - reader->line_start + 1};
}

static void start_line(struct reader *reader)
{
    reader->line++;
    reader->line_start = reader->at;
}

static int blanks(const char *text)
{
    return (int)strspn(text, " \t\r\v\f");
}

/* Passes blanks and continued lines. */
static bool pass_blanks(struct reader *reader, struct directive_error *error)
{
    for (;;) {
        reader->at += blanks(reader->text + reader->at);
        if (reader->text[reader->at] != '\\')
            return true;
        struct directive_place place = here(reader);
        reader->at++;
        reader->at += blanks(reader->text + reader->at);
        if (reader->text[reader->at] != '\n')
            return directive_fail(error, place,
                                  "expected the end of the line after a backslash, which joins the "
                                  "line with the next");
        reader->at++;
        start_line(reader);
    }
}

/* A line end that no backslash precedes ends the directive. */
static bool check_rest(struct reader *reader, struct directive_error *error)
{
    struct directive_place place = here(reader);
    if (reader->text[reader->at + (int)strspn(reader->text + reader->at, " \t\r\v\f\n")] == '\0')
        return true;
    return directive_fail(error, place,
                          "the line ends here and so does the directive, but text follows: join "
                          "lines with a backslash");
}

static bool is_name_part(char c)
{
    return c == '_' || isalnum((unsigned char)c);
}

static bool read_number(struct reader *reader, struct directive_token *token,
                        struct directive_error *error)
{
    token->kind = TOKEN_NUMBER;
    for (; isdigit((unsigned char)reader->text[reader->at]); reader->at++) {
        int digit = reader->text[reader->at] - '0';
        if (__builtin_mul_overflow(token->number, 10L, &token->number) ||
            __builtin_add_overflow(token->number, (long)digit, &token->number))
            return directive_fail(error, token->place, "the number is larger than %ld", LONG_MAX);
    }
    if (is_name_part(reader->text[reader->at]) || reader->text[reader->at] == '.')
        return directive_fail(error, here(reader),
                              "expected a decimal integer, but `%c` follows the digits",
                              reader->text[reader->at]);
    return true;
}

static bool read_token(struct reader *reader, struct directive_token *token,
                       struct directive_error *error)
{
    char c = reader->text[reader->at];
    *token = (struct directive_token){.text = reader->at, .place = here(reader)};
    if (c == '\0' || c == '\n') {
        token->kind = TOKEN_END;
        return c == '\0' || check_rest(reader, error);
    }
    if (isdigit((unsigned char)c)) {
        if (!read_number(reader, token, error))
            return false;
    } else if (is_name_part(c)) {
        token->kind = TOKEN_WORD;
        while (is_name_part(reader->text[reader->at]))
            reader->at++;
    } else if (c > ' ' && c < 0x7f) {
        token->kind = TOKEN_SIGN;
        reader->at++;
    } else {
        return directive_fail(error, token->place, "the byte 0x%02x is no text of a directive",
                              (unsigned char)c);
    }
    token->length = reader->at - token->text;
    return true;
}

bool directive_read_tokens(struct directive_parser *parser)
{
    struct reader reader = {.text = parser->directive->text, .line = 1};
    struct directive_token *token = parser->tokens;
    for (;; token++) {
        if (!pass_blanks(&reader, parser->error) || !read_token(&reader, token, parser->error))
            return false;
        if (token->kind == TOKEN_END)
            return true;
    }
}

/* ---- taking ---- */

const struct directive_token *directive_next(const struct directive_parser *parser)
{
    return &parser->tokens[parser->next];
}

bool directive_expected(struct directive_parser *parser, const char *what)
{
    const struct directive_token *token = directive_next(parser);
    if (token->kind == TOKEN_END)
        return directive_fail(parser->error, token->place,
                              "expected %s, found the end of the directive", what);
    return directive_fail(parser->error, token->place, "expected %s, found `%.*s`", what,
                          token->length < DIRECTIVE_NAME ? token->length : DIRECTIVE_NAME,
                          parser->directive->text + token->text);
}

bool directive_sees(const struct directive_parser *parser, int ahead, const char *text)
{
    const struct directive_token *token = directive_next(parser);
    for (; ahead > 0; ahead--, token++)
        if (token->kind == TOKEN_END)
            return false;
    return token->length == (int)strlen(text) &&
           strncmp(parser->directive->text + token->text, text, strlen(text)) == 0;
}

bool directive_take(struct directive_parser *parser, const char *text)
{
    bool there = directive_sees(parser, 0, text);
    parser->next += there;
    return there;
}

bool directive_need(struct directive_parser *parser, const char *text, const char *after)
{
    char what[100];
    if (directive_take(parser, text))
        return true;
    snprintf(what, sizeof what, after ? "`%s` after %s" : "`%s`", text, after);
    return directive_expected(parser, what);
}

bool directive_need_name(struct directive_parser *parser, const char *what, char *name)
{
    const struct directive_token *token = directive_next(parser);
    if (token->kind != TOKEN_WORD)
        return directive_expected(parser, what);
    if (token->length >= DIRECTIVE_NAME)
        return directive_fail(parser->error, token->place,
                              "a name has at most %d characters, this one %d", DIRECTIVE_NAME - 1,
                              token->length);
    snprintf(name, DIRECTIVE_NAME, "%.*s", token->length, parser->directive->text + token->text);
    parser->next++;
    return true;
}
