/* The words, numbers and signs of a directive, and how a parser takes them. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "directive_internal.h"

enum dm_status directive_fail(struct directive_place place, const char *format, ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (place.line == 1)
        return dm_fail(DM_INVALID, "column %d: %s", place.column, sentence);
    return dm_fail(DM_INVALID, "line %d, column %d: %s", place.line, place.column, sentence);
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
static enum dm_status pass_blanks(struct reader *reader)
{
    for (;;) {
        reader->at += blanks(reader->text + reader->at);
        if (reader->text[reader->at] != '\\')
            return DM_OK;
        struct directive_place place = here(reader);
        reader->at++;
        reader->at += blanks(reader->text + reader->at);
        if (reader->text[reader->at] != '\n')
            return directive_fail(place,
                                  "expected the end of the line after a backslash, which joins the "
                                  "line with the next");
        reader->at++;
        start_line(reader);
    }
}

/* A line end that no backslash precedes ends the directive. */
static enum dm_status check_rest(struct reader *reader)
{
    struct directive_place place = here(reader);
    if (reader->text[reader->at + (int)strspn(reader->text + reader->at, " \t\r\v\f\n")] == '\0')
        return DM_OK;
    return directive_fail(place,
                          "the line ends here and so does the directive, but text follows: join "
                          "lines with a backslash");
}

static bool is_name_part(char c)
{
    return c == '_' || isalnum((unsigned char)c);
}

static enum dm_status read_number(struct reader *reader, struct directive_token *token)
{
    token->kind = TOKEN_NUMBER;
    for (; isdigit((unsigned char)reader->text[reader->at]); reader->at++) {
        int digit = reader->text[reader->at] - '0';
        if (__builtin_mul_overflow(token->number, 10L, &token->number) ||
            __builtin_add_overflow(token->number, (long)digit, &token->number))
            return directive_fail(token->place, "the number is larger than %ld", LONG_MAX);
    }
    if (is_name_part(reader->text[reader->at]) || reader->text[reader->at] == '.')
        return directive_fail(here(reader),
                              "expected a decimal integer, but `%c` follows the digits",
                              reader->text[reader->at]);
    return DM_OK;
}

static enum dm_status read_token(struct reader *reader, struct directive_token *token)
{
    char c = reader->text[reader->at];
    *token = (struct directive_token){.text = reader->at, .place = here(reader)};
    if (c == '\0' || c == '\n') {
        token->kind = TOKEN_END;
        return c == '\0' ? DM_OK : check_rest(reader);
    }
    if (isdigit((unsigned char)c)) {
        TRY(read_number(reader, token));
    } else if (is_name_part(c)) {
        token->kind = TOKEN_WORD;
        while (is_name_part(reader->text[reader->at]))
            reader->at++;
    } else if (c > ' ' && c < 0x7f) {
        token->kind = TOKEN_SIGN;
        reader->at++;
    } else {
        return directive_fail(token->place, "the byte 0x%02x cannot be part of a directive",
                              (unsigned char)c);
    }
    token->length = reader->at - token->text;
    return DM_OK;
}

enum dm_status directive_read_tokens(struct directive_parser *parser)
{
    struct reader reader = {.text = parser->directive->text, .line = 1};
    struct directive_token *token = parser->tokens;
    for (;; token++) {
        TRY(pass_blanks(&reader));
        TRY(read_token(&reader, token));
        if (token->kind == TOKEN_END)
            return DM_OK;
    }
}

/* ---- taking ---- */

const struct directive_token *directive_next(const struct directive_parser *parser)
{
    return &parser->tokens[parser->next];
}

enum dm_status directive_expected(struct directive_parser *parser, const char *what)
{
    const struct directive_token *token = directive_next(parser);
    if (token->kind == TOKEN_END)
        return directive_fail(token->place, "expected %s, found the end of the directive", what);
    return directive_fail(token->place, "expected %s, found `%.*s`", what,
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

enum dm_status directive_need(struct directive_parser *parser, const char *text, const char *after)
{
    char what[100];
    if (directive_take(parser, text))
        return DM_OK;
    snprintf(what, sizeof what, after ? "`%s` after %s" : "`%s`", text, after);
    return directive_expected(parser, what);
}

enum dm_status directive_need_name(struct directive_parser *parser, const char *what, char *name)
{
    const struct directive_token *token = directive_next(parser);
    if (token->kind != TOKEN_WORD)
        return directive_expected(parser, what);
    if (token->length >= DIRECTIVE_NAME)
        return directive_fail(token->place, "a name has at most %d characters, this one %d",
                              DIRECTIVE_NAME - 1, token->length);
    snprintf(name, DIRECTIVE_NAME, "%.*s", token->length, parser->directive->text + token->text);
    parser->next++;
    return DM_OK;
}
