#include "prefetch/sial/lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NAME_LENGTH_MAX = 63, NUMBER_LENGTH_MAX = 63 };

static const char *const signs[] = {"+=", "-=", "*=", "<=", ">=", "==", "!=", "=", "<", ">",
                                    "+",  "-",  "*",  "/",  "(",  ")",  "[",  "]", ",", ":"};
/* One word per line would fill a page. */
/* clang-format off */
static const char *const keywords[] = {
    "abs", "allocate", "and", "aoindex", "call", "collective", "constant", "create", "deallocate",
    "delete", "distributed", "do", "else", "enddo", "endif", "endpardo", "endproc", "endsial",
    "execute", "exit", "get", "gpu_off", "gpu_on", "if", "import", "index", "int", "laindex",
    "local", "moaindex", "mobindex", "moindex", "nonzero", "not", "or", "pardo", "predefined",
    "prepare", "print", "proc", "put", "request", "return", "scalar", "segment", "served",
    "server_barrier", "sial", "sip_barrier", "special", "sqrt", "static", "temp", "where",
};
/* clang-format on */
enum { SIGNS = sizeof signs / sizeof *signs, KEYWORDS = sizeof keywords / sizeof *keywords };
_Static_assert(TOKEN_PLUS_SET + SIGNS == TOKEN_ABS, "one sign per token");
_Static_assert(TOKEN_ABS + KEYWORDS == TOKEN_KINDS, "one keyword per token");

void sial_lexer_start(struct lexer *lexer, struct compiler *compiler, int file)
{
    *lexer = (struct lexer){.compiler = compiler,
                            .text = compiler->program->files[file].text,
                            .file = file,
                            .line = 1,
                            .last = TOKEN_END_OF_LINE};
}

static struct place here(const struct lexer *lexer)
{
    return (struct place){lexer->file, lexer->line, (int)(lexer->position - lexer->line_start) + 1};
}

static char peek(const struct lexer *lexer)
{
    return lexer->text[lexer->position];
}

static bool is_name_start(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool is_name_part(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void pass_line_end(struct lexer *lexer)
{
    lexer->position++;
    lexer->line++;
    lexer->line_start = lexer->position;
}

static void pass_blanks_and_comment(struct lexer *lexer)
{
    while (peek(lexer) == ' ' || peek(lexer) == '\t' || peek(lexer) == '\r')
        lexer->position++;
    if (peek(lexer) == '#')
        lexer->position += strcspn(lexer->text + lexer->position, "\n");
}

static void pass_backslash(struct lexer *lexer)
{
    struct place place = here(lexer);
    lexer->position++;
    pass_blanks_and_comment(lexer);
    if (peek(lexer) == '\n')
        pass_line_end(lexer);
    else if (peek(lexer) != '\0')
        sial_fail(lexer->compiler, place,
                  "expected the end of the line after a backslash: it continues the line");
}

/* To the next token; true if a statement ends before it. */
static bool pass_gap(struct lexer *lexer)
{
    for (;;) {
        pass_blanks_and_comment(lexer);
        if (peek(lexer) == '\\') {
            pass_backslash(lexer);
        } else if (peek(lexer) == '\n') {
            pass_line_end(lexer);
            if (lexer->last != TOKEN_COMMA && lexer->last != TOKEN_END_OF_LINE)
                return true;
        } else {
            return peek(lexer) == '\0' && lexer->last != TOKEN_END_OF_LINE &&
                   lexer->last != TOKEN_COMMA;
        }
    }
}

static const char *take_text(struct lexer *lexer, size_t length)
{
    char *text = sial_take(lexer->compiler, length + 1);
    memcpy(text, lexer->text + lexer->position, length);
    return text;
}

static enum token_kind keyword_or_name(const char *text)
{
    int low = 0, high = KEYWORDS;
    while (low < high) {
        int middle = (low + high) / 2, order = strcasecmp(text, keywords[middle]);
        if (order == 0)
            return TOKEN_ABS + (unsigned)middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return TOKEN_NAME;
}

static void read_name(struct lexer *lexer, struct token *token)
{
    size_t length = 0;
    while (is_name_part(lexer->text[lexer->position + length]))
        length++;
    if (length > NAME_LENGTH_MAX)
        sial_fail(lexer->compiler, token->place, "a name has at most %d characters, this one %zu",
                  NAME_LENGTH_MAX, length);
    token->text = take_text(lexer, length);
    token->kind = keyword_or_name(token->text);
    lexer->position += length;
}

static size_t count_digits(const char *text)
{
    size_t count = 0;
    while (isdigit((unsigned char)text[count]))
        count++;
    return count;
}

/* digits [. digits] [e [sign] digits]; whole: neither point nor exponent. */
static size_t number_length(const char *text, bool *whole)
{
    size_t length = count_digits(text);
    *whole = true;
    if (text[length] == '.') {
        *whole = false;
        length += 1 + count_digits(text + length + 1);
    }
    if (text[length] == 'e' || text[length] == 'E') {
        size_t sign = text[length + 1] == '+' || text[length + 1] == '-';
        size_t digits = count_digits(text + length + 1 + sign);
        if (digits > 0) {
            *whole = false;
            length += 1 + sign + digits;
        }
    }
    return length;
}

static void read_number(struct lexer *lexer, struct token *token)
{
    bool whole;
    size_t length = number_length(lexer->text + lexer->position, &whole);
    if (is_name_part(lexer->text[lexer->position + length]))
        sial_fail(lexer->compiler, token->place, "a letter follows a number directly");
    if (length > NUMBER_LENGTH_MAX)
        sial_fail(lexer->compiler, token->place, "a number has at most %d characters",
                  NUMBER_LENGTH_MAX);
    token->text = take_text(lexer, length);
    token->kind = whole ? TOKEN_WHOLE : TOKEN_REAL;
    token->number = strtod(token->text, NULL);
    if (token->number > (whole ? SIAL_INT_MAX : 1.7976931348623157e308))
        sial_fail(lexer->compiler, token->place, "%s is too large%s", token->text,
                  whole ? " for an int, which ends at 2^53; with a point it is a scalar" : "");
    lexer->position += length;
}

static void read_string(struct lexer *lexer, struct token *token)
{
    lexer->position++;
    size_t length = strcspn(lexer->text + lexer->position, "\"\n");
    if (lexer->text[lexer->position + length] != '"')
        sial_fail(lexer->compiler, token->place,
                  "the string does not end on its line: expected \"");
    token->kind = TOKEN_STRING;
    token->text = take_text(lexer, length);
    lexer->position += length + 1;
}

static void read_sign(struct lexer *lexer, struct token *token)
{
    const char *at = lexer->text + lexer->position;
    for (unsigned i = 0; i < SIGNS; i++) {
        size_t length = strlen(signs[i]);
        if (strncmp(at, signs[i], length) == 0) {
            token->kind = TOKEN_PLUS_SET + i;
            token->text = signs[i];
            lexer->position += length;
            return;
        }
    }
    if ((unsigned char)*at >= 0x80)
        sial_fail(lexer->compiler, token->place,
                  "letters beyond ASCII stand only in strings and comments");
    sial_fail(lexer->compiler, token->place, "the character %c has no meaning in SIAL", *at);
}

struct token sial_lexer_next(struct lexer *lexer)
{
    struct token token = {0};
    if (pass_gap(lexer)) {
        token.kind = TOKEN_END_OF_LINE;
        token.place = lexer->last_end;
        lexer->last = token.kind;
        return token;
    }
    token.place = here(lexer);
    char c = peek(lexer);
    if (c == '\0')
        token.kind = TOKEN_END_OF_FILE;
    else if (is_name_start(c))
        read_name(lexer, &token);
    else if (isdigit((unsigned char)c) ||
             (c == '.' && isdigit((unsigned char)lexer->text[lexer->position + 1])))
        read_number(lexer, &token);
    else if (c == '"')
        read_string(lexer, &token);
    else
        read_sign(lexer, &token);
    lexer->last = token.kind;
    lexer->last_end = here(lexer);
    return token;
}

void sial_token_text(struct token token, char text[SIAL_TOKEN_TEXT])
{
    if (token.kind == TOKEN_END_OF_FILE)
        snprintf(text, SIAL_TOKEN_TEXT, "the end of the file");
    else if (token.kind == TOKEN_END_OF_LINE)
        snprintf(text, SIAL_TOKEN_TEXT, "the end of the line");
    else if (token.kind == TOKEN_STRING)
        snprintf(text, SIAL_TOKEN_TEXT, "the string \"%.30s\"", token.text);
    else
        snprintf(text, SIAL_TOKEN_TEXT, "%s`%s`", token.kind >= TOKEN_ABS ? "the keyword " : "",
                 token.text);
}
