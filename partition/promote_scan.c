/* promote_scan.c: takes a PTX text apart into words and routines. */
#include "common/error.h"

#include "promote_scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *const place_registers[PLACE_REGISTERS] = {"%ctaid.x",  "%ctaid.y",  "%ctaid.z",
                                                      "%nctaid.x", "%nctaid.y", "%nctaid.z"};

static bool word_character(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_$%.", c));
}

/* Length of a comment at `text`, 0 if there is none, or -1 if it does not end. */
static ptrdiff_t comment_length(const char *text)
{
    if (strncmp(text, "//", 2) == 0)
        return (ptrdiff_t)strcspn(text, "\n");
    if (strncmp(text, "/*", 2) != 0)
        return 0;
    const char *end = strstr(text + 2, "*/");
    return end ? end + 2 - text : -1;
}

static struct ptx_token string_at(const char *text)
{
    const char *end = text + 1;
    while (*end && *end != '"')
        end += *end == '\\' && end[1] ? 2 : 1;
    if (!*end)
        return (struct ptx_token){PTX_BROKEN, text, 0};
    return (struct ptx_token){PTX_STRING, text, (size_t)(end + 1 - text)};
}

struct ptx_token ptx_token_at(const char *text)
{
    if (!*text)
        return (struct ptx_token){PTX_END, text, 0};
    size_t length = 0;
    while (isspace((unsigned char)text[length]))
        length++;
    if (length)
        return (struct ptx_token){PTX_BLANK, text, length};
    ptrdiff_t comment = comment_length(text);
    if (comment < 0)
        return (struct ptx_token){PTX_BROKEN, text, 0};
    if (comment)
        return (struct ptx_token){PTX_BLANK, text, (size_t)comment};
    if (*text == '"')
        return string_at(text);
    while (word_character(text[length]))
        length++;
    if (length)
        return (struct ptx_token){PTX_WORD, text, length};
    return (struct ptx_token){PTX_SIGN, text, 1};
}

bool ptx_is(struct ptx_token token, const char *word)
{
    return token.length == strlen(word) && memcmp(token.text, word, token.length) == 0;
}

static struct ptx_token next_token(const char **at)
{
    struct ptx_token token;
    do {
        token = ptx_token_at(*at);
        *at += token.length;
    } while (token.kind == PTX_BLANK);
    return token;
}

/* Whether the word or sign is next; then *at moves behind it. */
static bool skip_word(const char **at, const char *word)
{
    const char *behind = *at;
    bool is_next = ptx_is(next_token(&behind), word);
    if (is_next)
        *at = behind;
    return is_next;
}

static void skip_words(const char **at, unsigned words)
{
    const char *behind = *at;
    while (words-- && next_token(&behind).kind == PTX_WORD)
        *at = behind;
}

/* Behind .loc: file, line, column, and where the code was inlined. No ; ends it. */
static void skip_location(const char **at)
{
    skip_words(at, 3);
    const char *more = *at;
    if (!skip_word(&more, ",") || !skip_word(&more, "function_name"))
        return;
    skip_words(&more, 1);
    if (skip_word(&more, "+"))
        skip_words(&more, 1);
    if (skip_word(&more, ",") && skip_word(&more, "inlined_at"))
        skip_words(&more, 3);
    *at = more;
}

struct ptx_token ptx_next(const char **at)
{
    for (;;) {
        struct ptx_token token = next_token(at);
        if (!ptx_is(token, ".loc"))
            return token;
        skip_location(at);
    }
}

bool ptx_same(struct ptx_token a, struct ptx_token b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

bool ptx_ends_instruction(struct ptx_token token)
{
    return token.kind == PTX_SIGN && strchr(";{}:", *token.text);
}

int ptx_place_register(struct ptx_token token)
{
    for (int i = 0; i < PLACE_REGISTERS; i++)
        if (ptx_is(token, place_registers[i]))
            return i;
    return -1;
}

struct ptx_routine *ptx_find(const struct ptx_routines *routines, struct ptx_token name)
{
    for (size_t i = 0; i < routines->count; i++)
        if (ptx_same(routines->list[i].name, name))
            return &routines->list[i];
    return NULL;
}

/* Moves *at behind the sign that closes what was opened before it; *end is at that sign. */
static bool skip_to(const char **at, const char *open, const char *close, const char **end)
{
    for (size_t depth = 1; depth;) {
        struct ptx_token token = ptx_next(at);
        if (token.kind == PTX_END || token.kind == PTX_BROKEN)
            return false;
        depth += ptx_is(token, open);
        depth -= ptx_is(token, close);
        *end = token.text;
    }
    return true;
}

/* The parameter list, if there is one, behind the routine's name. */
static bool survey_parameters(const char **at, struct ptx_routine *routine)
{
    const char *after = *at;
    routine->insert = routine->name.text + routine->name.length;
    if (!ptx_is(ptx_next(&after), "("))
        return true;
    *at = after;
    routine->has_list = true;
    routine->has_parameters = !ptx_is(ptx_next(&after), ")");
    return skip_to(at, "(", ")", &routine->insert);
}

static unsigned registers_used(const char *at, const char *end)
{
    unsigned used = 0;
    while (at < end) {
        int place = ptx_place_register(ptx_next(&at));
        if (place >= 0)
            used |= 1u << place;
    }
    return used;
}

/* What could not be read. The caller names the line. */
static enum dm_status not_understood(void)
{
    return dm_fail(DM_INVALID, "the PTX text is not understood");
}

/* From behind the list of parameters to the end of the body or of the declaration. */
static enum dm_status survey_body(const char **at, struct ptx_routine *routine)
{
    for (;;) {
        struct ptx_token token = ptx_next(at);
        if (token.kind == PTX_END || token.kind == PTX_BROKEN)
            return not_understood();
        if (ptx_is(token, ".reqnctapercluster") || ptx_is(token, ".explicitcluster"))
            return dm_fail(DM_UNAVAILABLE, "kernel %.*s is launched in clusters",
                           (int)routine->name.length, routine->name.text);
        if (ptx_is(token, ";"))
            return DM_OK;
        if (ptx_is(token, "{"))
            break;
    }
    routine->body = *at;
    if (!skip_to(at, "{", "}", &routine->body_end))
        return not_understood();
    routine->registers = registers_used(routine->body, routine->body_end);
    return DM_OK;
}

/* From behind .entry or .func on. */
static enum dm_status survey_routine(const char **at, struct ptx_routine *routine)
{
    const char *end;
    routine->name = ptx_next(at);
    if (!routine->kernel && ptx_is(routine->name, "(")) { /* what the function returns */
        if (!skip_to(at, "(", ")", &end))
            return not_understood();
        routine->name = ptx_next(at);
    }
    if (routine->name.kind != PTX_WORD || !survey_parameters(at, routine))
        return not_understood();
    return survey_body(at, routine);
}

static enum dm_status add_routine(const char **at, bool kernel, struct ptx_routines *routines)
{
    size_t bytes = (routines->count + 1) * sizeof *routines->list;
    struct ptx_routine *list = realloc(routines->list, bytes);
    if (!list)
        return error_no_memory(bytes);
    routines->list = list;
    list[routines->count] = (struct ptx_routine){.kernel = kernel};
    return survey_routine(at, &list[routines->count++]);
}

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

/* What begins with the token, before *at. */
static enum dm_status survey_token(const char **at, struct ptx_token token,
                                   struct ptx_routines *routines)
{
    const char *end;
    if (token.kind == PTX_BROKEN)
        return not_understood();
    if (ptx_is(token, ".entry") || ptx_is(token, ".func"))
        return add_routine(at, ptx_is(token, ".entry"), routines);
    /* The values of a variable, or a section. */
    if (ptx_is(token, "{") && !skip_to(at, "{", "}", &end))
        return not_understood();
    return DM_OK;
}

enum dm_status ptx_survey(const char *ptx, struct ptx_routines *routines)
{
    bool version = false;
    *routines = (struct ptx_routines){0};
    for (const char *at = ptx;;) {
        struct ptx_token token = ptx_next(&at);
        if (token.kind == PTX_END)
            break;
        version |= ptx_is(token, ".version");
        enum dm_status status = survey_token(&at, token, routines);
        if (status == DM_INVALID)
            return dm_fail(status, "line %d of the PTX text is not understood",
                           line_of(ptx, token.text));
        TRY(status);
    }
    if (!version)
        return dm_fail(DM_INVALID, "the module is not a PTX text: it has no .version");
    return DM_OK;
}
