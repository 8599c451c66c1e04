/* lift_lexer.c: the words of PTX. */
#include <ctype.h>
#include <string.h>

#include "common/error.h"

#include "lift.h"

static bool is_word(char letter)
{
    return isalnum((unsigned char)letter) || (letter && strchr("_$%.", letter));
}

/* Moves behind spaces and comments. */
static enum dm_status skip_space(struct lift_lexer *lexer)
{
    while (lexer->at < lexer->end) {
        size_t left = (size_t)(lexer->end - lexer->at);
        if (left > 1 && memcmp(lexer->at, "//", 2) == 0) {
            const char *end = memchr(lexer->at, '\n', left);
            lexer->at = end ? end : lexer->end;
        } else if (left > 1 && memcmp(lexer->at, "/*", 2) == 0) {
            const char *end = memmem(lexer->at + 2, left - 2, "*/", 2);
            if (!end)
                return dm_fail(DM_INVALID, "line %u: a comment has no end", lexer->line);
            for (; lexer->at < end + 2; lexer->at++)
                lexer->line += *lexer->at == '\n';
        } else if (isspace((unsigned char)*lexer->at)) {
            lexer->line += *lexer->at++ == '\n';
        } else {
            return DM_OK;
        }
    }
    return DM_OK;
}

/* Names such as shared::cta hold two colons. */
static const char *word_end(const struct lift_lexer *lexer)
{
    const char *at = lexer->at;
    while (at < lexer->end)
        if (is_word(*at))
            at++;
        else if (lexer->end - at > 2 && memcmp(at, "::", 2) == 0 && is_word(at[2]))
            at += 2;
        else
            break;
    return at;
}

static enum dm_status read_string(struct lift_lexer *lexer)
{
    const char *begin = ++lexer->at;
    const char *end = memchr(begin, '"', (size_t)(lexer->end - begin));
    if (!end || memchr(begin, '\n', (size_t)(end - begin)))
        return dm_fail(DM_INVALID, "line %u: a string has no end", lexer->line);
    lexer->token = (struct lift_token){LIFT_STRING, begin, (size_t)(end - begin), lexer->line};
    lexer->at = end + 1;
    return DM_OK;
}

enum dm_status lift_next(struct lift_lexer *lexer)
{
    TRY(skip_space(lexer));
    lexer->token = (struct lift_token){LIFT_END, lexer->at, 0, lexer->line};
    if (lexer->at >= lexer->end)
        return DM_OK;
    char letter = *lexer->at;
    if (letter == '"')
        return read_string(lexer);
    bool is_number = isdigit((unsigned char)letter);
    if (is_number || is_word(letter)) {
        const char *end = word_end(lexer);
        lexer->token.kind = is_number ? LIFT_NUMBER : LIFT_WORD;
        lexer->token.length = (size_t)(end - lexer->at);
        lexer->at = end;
        return DM_OK;
    }
    if (!isprint((unsigned char)letter))
        return dm_fail(DM_INVALID, "line %u: the byte %u is no part of PTX", lexer->line,
                       (unsigned char)letter);
    lexer->token.kind = LIFT_MARK;
    lexer->token.length = 1;
    lexer->at++;
    return DM_OK;
}

bool lift_is(const struct lift_token *token, const char *text)
{
    return token->kind != LIFT_STRING && token->length == strlen(text) && token->length &&
           memcmp(token->text, text, token->length) == 0;
}

bool lift_begins(const struct lift_token *token, const char *prefix)
{
    return token->kind == LIFT_WORD && token->length >= strlen(prefix) &&
           memcmp(token->text, prefix, strlen(prefix)) == 0;
}

enum dm_status lift_wrong(const struct lift_lexer *lexer, const char *expected)
{
    const struct lift_token *token = &lexer->token;
    if (token->kind == LIFT_END)
        return dm_fail(DM_INVALID, "line %u: the text ends where %s is expected", token->line,
                       expected);
    int length = token->length < 60 ? (int)token->length : 60;
    return dm_fail(DM_INVALID, "line %u: expected %s, found %.*s", token->line, expected, length,
                   token->text);
}

enum dm_status lift_expect(struct lift_lexer *lexer, const char *text)
{
    return lift_is(&lexer->token, text) ? lift_next(lexer) : lift_wrong(lexer, text);
}

enum dm_status lift_skip_statement(struct lift_lexer *lexer)
{
    while (!lift_is(&lexer->token, ";")) {
        if (lexer->token.kind == LIFT_END)
            return lift_wrong(lexer, ";");
        TRY(lift_next(lexer));
    }
    return lift_next(lexer);
}

enum dm_status lift_skip_block(struct lift_lexer *lexer)
{
    size_t depth = 0;
    do {
        if (lexer->token.kind == LIFT_END)
            return lift_wrong(lexer, "}");
        depth += lift_is(&lexer->token, "{");
        depth -= lift_is(&lexer->token, "}");
        TRY(lift_next(lexer));
    } while (depth > 0);
    return DM_OK;
}
