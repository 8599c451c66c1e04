/* Pragmas: found among the tokens of the file, as syntax trees do not have what is ignored. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "translate.h"

/* ---- words of one pragma ---- */

/* Takes the next word (a name, or one other character) of a pragma; NULL at its end. */
static char *next_word(const char **at)
{
    const char *first = *at;
    while (isspace((unsigned char)*first) || *first == '\\')
        first++;
    if (!*first)
        return NULL;
    const char *end = first + 1;
    if (isalpha((unsigned char)*first) || *first == '_')
        while (isalnum((unsigned char)*end) || *end == '_')
            end++;
    *at = end;
    return keep_bytes(first, (size_t)(end - first));
}

static bool is_word(const char *word, const char *text)
{
    return word && strcmp(word, text) == 0;
}

static void add_name(const struct pragma *pragma, struct name_list *list, char *name)
{
    for (int n = 0; n < list->count; n++)
        if (strcmp(list->names[n], name) == 0)
            return;
    if (list->count == TRANSLATE_NAMES)
        error_at(pragma->place, "more than %d names: not supported", TRANSLATE_NAMES);
    list->names[list->count++] = name;
}

/* Names up to the parenthesis that closes the clause; what stands in brackets is passed over. */
static void read_names(const struct pragma *pragma, const char **at, struct name_list *list)
{
    int open = 1, brackets = 0;
    for (char *word; open > 0 && (word = next_word(at));) {
        open += is_word(word, "(") - is_word(word, ")");
        brackets += is_word(word, "[") - is_word(word, "]");
        if (brackets == 0 && (isalpha((unsigned char)*word) || *word == '_'))
            add_name(pragma, list, word);
    }
}

static void read_reduction(struct pragma *pragma, const char **at)
{
    char *operation = next_word(at);
    if (!operation || !strchr("+*", *operation) || !is_word(next_word(at), ":"))
        error_at(pragma->place, "reduction: only `+` and `*` are supported, as in "
                                "reduction(+: sum)");
    if (pragma->operation && pragma->operation != *operation)
        error_at(pragma->place, "two reductions with different operators: not supported");
    pragma->operation = *operation;
    read_names(pragma, at, &pragma->reductions);
}

static void read_clauses(struct pragma *pragma)
{
    const char *at = pragma->words;
    pragma->collapse = 1;
    for (char *word; (word = next_word(&at));) {
        const char *behind = at;
        if (!is_word(next_word(&behind), "("))
            continue;
        if (is_word(word, "collapse")) {
            at = behind;
            if (sscanf(at, "%d", &pragma->collapse) != 1 || pragma->collapse < 1 ||
                pragma->collapse > LOOP_COUNTERS)
                error_at(pragma->place, "collapse: expected a number from 1 to %d", LOOP_COUNTERS);
        } else if (is_word(word, "private")) {
            at = behind;
            read_names(pragma, &at, &pragma->privates);
        } else if (is_word(word, "reduction")) {
            at = behind;
            read_reduction(pragma, &at);
        }
    }
}

/* ---- the directive ---- */

struct place directive_place_in(const struct pragma *pragma, struct directive_place place)
{
    struct place in = pragma->place;
    in.line += (unsigned)place.line - 1;
    in.column = (unsigned)place.column + (place.line == 1 ? in.column - 1 : 0);
    return in;
}

/* Its errors begin with the place in the text. */
static void parse_directive(struct pragma *pragma)
{
    struct directive_place place = {1, 1};
    int used = 0;
    if (pipeline_directive_parse(&pragma->directive, pragma->words) == DM_OK)
        return;
    const char *message = dm_message();
    if (sscanf(message, "line %d, column %d: %n", &place.line, &place.column, &used) < 2 &&
        sscanf(message, "column %d: %n", &place.column, &used) < 1)
        used = 0;
    error_at(directive_place_in(pragma, place), "%s", message + used);
}

static void list_constants(struct pragma *pragma)
{
    const struct pipeline_directive *directive = pragma->directive;
    for (int n = 0; n < directive->node_count; n++) {
        const struct directive_node *node = &directive->nodes[n];
        if (node->kind == DIRECTIVE_CONSTANT)
            add_name(pragma, &pragma->constants,
                     keep_bytes(directive->text + node->name, (size_t)node->name_length));
    }
}

/* ---- all of a file ---- */

static size_t token_offset(const struct source *source, CXToken token)
{
    unsigned offset;
    clang_getSpellingLocation(clang_getTokenLocation(source->unit, token), NULL, NULL, NULL,
                              &offset);
    return offset;
}

static bool token_is(const struct source *source, CXToken token, const char *text)
{
    return strcmp(keep_string(clang_getTokenSpelling(source->unit, token)), text) == 0;
}

static struct place token_place(const struct source *source, CXToken token)
{
    struct place place = {.file = source->path};
    clang_getSpellingLocation(clang_getTokenLocation(source->unit, token), NULL, &place.line,
                              &place.column, NULL);
    return place;
}

/* Behind the line break that ends a pragma. */
static size_t pragma_end(const struct source *source, size_t at)
{
    for (; at < source->length; at++)
        if (source->bytes[at] == '\n' && !(at > 0 && (source->bytes[at - 1] == '\\' ||
                                                      (at > 1 && source->bytes[at - 1] == '\r' &&
                                                       source->bytes[at - 2] == '\\'))))
            return at + 1;
    return at;
}

static bool has_pipeline(const char *words)
{
    for (char *word; (word = next_word(&words));) {
        const char *behind = words;
        if (is_word(word, "pipeline") && is_word(next_word(&behind), "("))
            return true;
    }
    return false;
}

/* Which loop a pragma is about: its place, if `for` is next. */
static void find_loop(const struct source *source, struct pragma *pragma, const CXToken *tokens,
                      unsigned count, unsigned next)
{
    while (next < count && (token_offset(source, tokens[next]) < pragma->end ||
                            clang_getTokenKind(tokens[next]) == CXToken_Comment))
        next++;
    if (next < count && token_is(source, tokens[next], "for"))
        pragma->loop = token_place(source, tokens[next]);
    if (pragma->pipeline && !pragma->loop.line)
        error_at(pragma->place, "a `for` must follow the directive");
}

static void read_pragma(const struct source *source, struct pragma *pragma, const CXToken *tokens,
                        unsigned count, unsigned first)
{
    pragma->place = token_place(source, tokens[first]);
    pragma->begin = token_offset(source, tokens[first]);
    pragma->end = pragma_end(source, pragma->begin);
    pragma->words = keep_bytes(source->bytes + pragma->begin, pragma->end - pragma->begin);
    pragma->pipeline = has_pipeline(pragma->words);
    read_clauses(pragma);
    find_loop(source, pragma, tokens, count, first);
    if (pragma->pipeline) {
        parse_directive(pragma);
        list_constants(pragma);
    } else {
        const char *at = pragma->words;
        for (char *word; (word = next_word(&at)) && !is_word(word, "(");)
            pragma->threads = pragma->threads || is_word(word, "for") || is_word(word, "loop");
    }
}

struct pragmas read_pragmas(const struct source *source)
{
    CXToken *tokens;
    unsigned count;
    struct pragmas pragmas = {0};
    CXSourceRange all = clang_getRange(
        clang_getLocationForOffset(source->unit, source->file, 0),
        clang_getLocationForOffset(source->unit, source->file, (unsigned)source->length));
    clang_tokenize(source->unit, all, &tokens, &count);
    pragmas.at = keep(sizeof *pragmas.at * (count / 3 + 1));
    for (unsigned t = 0; t + 2 < count; t++)
        if (token_is(source, tokens[t], "#") && token_is(source, tokens[t + 1], "pragma") &&
            token_is(source, tokens[t + 2], "omp"))
            read_pragma(source, &pragmas.at[pragmas.count++], tokens, count, t);
    clang_disposeTokens(source->unit, tokens, count);
    return pragmas;
}

void mark_names(const struct source *source, const struct pragmas *pragmas, struct text *text)
{
    size_t done = 0;
    text_add(text, "#line 1 \"%s\"\n", source->path);
    for (int p = 0; p < pragmas->count; p++) {
        const struct pragma *pragma = &pragmas->at[p];
        if (!pragma->pipeline)
            continue;
        text_add_bytes(text, source->bytes + done, pragma->end - done);
        done = pragma->end;
        text_add(text, "#line %u\n{", pragma->place.line);
        for (int n = 0; n < pragma->constants.count; n++)
            text_add(text, " (void)(%s);", pragma->constants.names[n]);
        unsigned line = 1;
        for (size_t at = 0; at < pragma->end; at++)
            line += source->bytes[at] == '\n';
        text_add(text, " }\n#line %u\n", line);
    }
    text_add_bytes(text, source->bytes + done, source->length - done);
}
