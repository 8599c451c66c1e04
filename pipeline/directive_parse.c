/* The grammar of a directive: its construct and its clauses but map. */
#include <stdio.h>
#include <string.h>

#include "directive_internal.h"

/* What OpenMP 5 allows on a combined construct with `target`. */
static const char *const other_clauses[] = {
    "allocate",    "aligned",      "collapse",      "default",        "defaultmap",
    "depend",      "device",       "dist_schedule", "firstprivate",   "has_device_addr",
    "if",          "in_reduction", "is_device_ptr", "lastprivate",    "linear",
    "nontemporal", "nowait",       "num_teams",     "num_threads",    "order",
    "private",     "proc_bind",    "reduction",     "safelen",        "schedule",
    "shared",      "simdlen",      "thread_limit",  "uses_allocators"};
enum { OTHER_CLAUSES = sizeof other_clauses / sizeof *other_clauses };

static bool read_iterator(struct directive_parser *parser)
{
    struct directive *directive = parser->directive;
    if (directive->iterator[0])
        return directive_fail(parser->error, directive_next(parser)->place,
                              "the directive has an iterator already, `%s`: a pipeline runs over "
                              "one",
                              directive->iterator);
    directive->step = DIRECTIVE_ABSENT;
    if (!directive_need(parser, "(", "`iterator`") ||
        !directive_need_name(parser, "the name of the iterator", directive->iterator) ||
        !directive_need(parser, "=", "the name of the iterator") ||
        !directive_parse_expression(parser, &directive->begin) ||
        !directive_need(parser, ":", "the begin of the range") ||
        !directive_parse_expression(parser, &directive->end))
        return false;
    if (directive_take(parser, ":") && !directive_parse_expression(parser, &directive->step))
        return false;
    return directive_need(parser, ")", "the range: a pipeline runs over one iterator");
}

static bool is_other_clause(const struct directive_parser *parser)
{
    for (int i = 0; i < OTHER_CLAUSES; i++)
        if (directive_sees(parser, 0, other_clauses[i]))
            return true;
    return false;
}

static bool pass_parentheses(struct directive_parser *parser)
{
    int open = 0;
    do {
        open += directive_sees(parser, 0, "(");
        open -= directive_sees(parser, 0, ")");
        if (directive_next(parser)->kind == TOKEN_END)
            return directive_expected(parser, "`)` of the clause");
        parser->next++;
    } while (open > 0);
    return true;
}

static bool read_other(struct directive_parser *parser)
{
    struct directive *directive = parser->directive;
    const struct directive_token *first = directive_next(parser);
    if (directive->other_count == DIRECTIVE_OTHERS)
        return directive_fail(parser->error, first->place,
                              "a directive has at most %d clauses beside map and iterator",
                              DIRECTIVE_OTHERS);
    parser->next++;
    if (directive_sees(parser, 0, "(") && !pass_parentheses(parser))
        return false;
    const struct directive_token *last = directive_next(parser) - 1;
    directive->others[directive->other_count++] = (struct directive_clause){
        .text = first->text, .length = last->text + last->length - first->text};
    return true;
}

static bool read_clause(struct directive_parser *parser)
{
    if (directive_take(parser, "map"))
        return directive_parse_map(parser);
    if (directive_take(parser, "iterator"))
        return read_iterator(parser);
    if (is_other_clause(parser))
        return read_other(parser);
    return directive_expected(parser, "`map`, `iterator` or another clause of `target teams "
                                      "distribute`");
}

/* ---- the directive ---- */

static bool read_construct(struct directive_parser *parser)
{
    static const char *const words[] = {"#", "pragma", "omp", "target", "teams", "distribute"};
    for (int i = 0; i < 6; i++)
        if (!directive_take(parser, words[i]))
            return directive_expected(parser, "`#pragma omp target teams distribute`");
    if (directive_take(parser, "parallel")) {
        parser->directive->parallel = true;
        if (!directive_need(parser, "for", "`parallel`"))
            return false;
    }
    parser->directive->simd = directive_take(parser, "simd");
    return true;
}

static void mark_splits(struct directive *directive)
{
    for (int i = 0; i < directive->item_count; i++)
        for (int d = 0; d < directive->items[i].dimensions; d++) {
            struct directive_bracket *bracket = &directive->items[i].brackets[d];
            bracket->split = directive_moves(directive, bracket->begin);
        }
}

bool directive_parse(const char *text, struct directive *directive, struct directive_error *error)
{
    struct directive_parser parser = {.directive = directive, .error = error};
    memset(directive, 0, sizeof *directive);
    if (strlen(text) >= DIRECTIVE_TEXT)
        return directive_fail(error, (struct directive_place){1, 1},
                              "a directive has at most %d bytes", DIRECTIVE_TEXT - 1);
    snprintf(directive->text, sizeof directive->text, "%s", text);
    if (!directive_read_tokens(&parser) || !read_construct(&parser))
        return false;
    while (directive_next(&parser)->kind != TOKEN_END) {
        if (!read_clause(&parser))
            return false;
        if (directive_take(&parser, ",") && directive_next(&parser)->kind == TOKEN_END)
            return directive_expected(&parser, "a clause after the comma");
    }
    if (!directive_mark_iterator(directive, error))
        return false;
    mark_splits(directive);
    return directive_check(directive, error);
}
