/* The grammar of a directive: its construct and its clauses but map. */
#include <stdio.h>
#include <stdlib.h>
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

static enum dm_status read_iterator(struct directive_parser *parser)
{
    struct pipeline_directive *directive = parser->directive;
    if (directive->iterator[0])
        return directive_fail(directive_next(parser)->place,
                              "the directive already has the iterator `%s`: a pipeline has one",
                              directive->iterator);
    directive->step = DIRECTIVE_ABSENT;
    TRY(directive_need(parser, "(", "`iterator`"));
    TRY(directive_need_name(parser, "the name of the iterator", directive->iterator));
    TRY(directive_need(parser, "=", "the name of the iterator"));
    TRY(directive_parse_expression(parser, &directive->begin));
    TRY(directive_need(parser, ":", "the start of the range"));
    TRY(directive_parse_expression(parser, &directive->end));
    if (directive_take(parser, ":"))
        TRY(directive_parse_expression(parser, &directive->step));
    return directive_need(parser, ")", "the range: a pipeline has one iterator");
}

static bool is_other_clause(const struct directive_parser *parser)
{
    for (int i = 0; i < OTHER_CLAUSES; i++)
        if (directive_sees(parser, 0, other_clauses[i]))
            return true;
    return false;
}

static enum dm_status pass_parentheses(struct directive_parser *parser)
{
    int open = 0;
    do {
        open += directive_sees(parser, 0, "(");
        open -= directive_sees(parser, 0, ")");
        if (directive_next(parser)->kind == TOKEN_END)
            return directive_expected(parser, "`)` of the clause");
        parser->next++;
    } while (open > 0);
    return DM_OK;
}

static enum dm_status read_other(struct directive_parser *parser)
{
    struct pipeline_directive *directive = parser->directive;
    const struct directive_token *first = directive_next(parser);
    if (directive->other_count == DIRECTIVE_OTHERS)
        return directive_fail(first->place,
                              "a directive has at most %d clauses beside map and iterator",
                              DIRECTIVE_OTHERS);
    parser->next++;
    if (directive_sees(parser, 0, "("))
        TRY(pass_parentheses(parser));
    const struct directive_token *last = directive_next(parser) - 1;
    directive->others[directive->other_count++] = (struct directive_clause){
        .text = first->text, .length = last->text + last->length - first->text};
    return DM_OK;
}

static enum dm_status read_clause(struct directive_parser *parser)
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

static enum dm_status read_construct(struct directive_parser *parser)
{
    static const char *const words[] = {"#", "pragma", "omp", "target"};
    for (int i = 0; i < 4; i++)
        if (!directive_take(parser, words[i]))
            return directive_expected(parser, "`#pragma omp target teams distribute`");
    /* Fig. 3.2 leaves them out. */
    if (directive_take(parser, "teams"))
        TRY(directive_need(parser, "distribute", "`teams`"));
    if (directive_take(parser, "parallel")) {
        parser->directive->parallel = true;
        TRY(directive_need(parser, "for", "`parallel`"));
    }
    parser->directive->simd = directive_take(parser, "simd");
    return DM_OK;
}

static void mark_splits(struct pipeline_directive *directive)
{
    for (int i = 0; i < directive->item_count; i++)
        for (int d = 0; d < directive->items[i].dimensions; d++) {
            struct directive_bracket *bracket = &directive->items[i].brackets[d];
            bracket->split = directive_moves(directive, bracket->begin);
        }
}

static enum dm_status parse(const char *text, struct pipeline_directive *directive)
{
    struct directive_parser parser = {.directive = directive};
    if (strlen(text) >= DIRECTIVE_TEXT)
        return directive_fail((struct directive_place){1, 1}, "a directive has at most %d bytes",
                              DIRECTIVE_TEXT - 1);
    snprintf(directive->text, sizeof directive->text, "%s", text);
    TRY(directive_read_tokens(&parser));
    TRY(read_construct(&parser));
    while (directive_next(&parser)->kind != TOKEN_END) {
        TRY(read_clause(&parser));
        if (directive_take(&parser, ",") && directive_next(&parser)->kind == TOKEN_END)
            return directive_expected(&parser, "a clause after the comma");
    }
    TRY(directive_mark_iterator(directive));
    mark_splits(directive);
    return directive_check(directive);
}

enum dm_status pipeline_directive_parse(struct pipeline_directive **directive, const char *text)
{
    *directive = calloc(1, sizeof **directive);
    if (!*directive)
        return error_no_memory(sizeof **directive);
    enum dm_status status = parse(text, *directive);
    if (status != DM_OK) {
        free(*directive);
        *directive = NULL;
    }
    return status;
}

void pipeline_directive_free(struct pipeline_directive *directive)
{
    free(directive);
}
