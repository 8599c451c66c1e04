/* do and pardo with their clauses. */
#include <strings.h>

#include "prefetch/sial/parser.h"

static void parse_indices(struct parser *parser, struct statement *loop)
{
    do {
        if (loop->count == SIAL_RANK_MAX)
            sial_fail(parser->compiler, parser->token.place, "a pardo has at most %d indices",
                      SIAL_RANK_MAX);
        loop->indices[loop->count++] = sial_expect_name(parser, "the name of an index");
    } while (loop->kind == STATEMENT_PARDO && sial_accept(parser, TOKEN_COMMA));
}

/* Clauses on the line of the pardo and on lines of their own. */
static void parse_clauses(struct parser *parser, struct statement *loop)
{
    struct expression **end = &loop->where;
    bool line_ended = false;
    for (;;) {
        if (sial_accept(parser, TOKEN_WHERE)) {
            *end = sial_parse_condition(parser);
            end = &(*end)->next;
        } else if (sial_at(parser, TOKEN_NONZERO)) {
            if (loop->nonzero)
                sial_fail(parser->compiler, parser->token.place,
                          "a pardo has at most one clause `nonzero`");
            sial_next(parser);
            loop->nonzero = sial_expect_block(parser, false);
        } else if (sial_at(parser, TOKEN_END_OF_LINE)) {
            sial_next(parser);
            line_ended = true;
            continue;
        } else if (line_ended) {
            return;
        } else {
            sial_expected(parser, "`where`, `nonzero` or the end of the line");
        }
        line_ended = false;
    }
}

static void parse_pardo_end(struct parser *parser, const struct statement *loop)
{
    int count = 0;
    if (!sial_at(parser, TOKEN_NAME))
        return;
    do {
        struct name name = sial_expect_name(parser, "the name of an index");
        if (count >= loop->count || strcasecmp(name.text, loop->indices[count].text) != 0)
            sial_fail(parser->compiler, name.place,
                      "`endpardo` must name the indices of the pardo of line %d, in its order",
                      loop->place.line);
        count++;
    } while (sial_accept(parser, TOKEN_COMMA));
    if (count < loop->count)
        sial_expected(parser, "`,` and the other indices of the pardo of line %d",
                      loop->place.line);
}

void sial_parse_loop(struct parser *parser, struct statement *loop)
{
    bool parallel = loop->kind == STATEMENT_PARDO;
    const char *word = parallel ? "pardo" : "do";
    parse_indices(parser, loop);
    if (parallel)
        parse_clauses(parser, loop);
    else
        sial_end_line(parser, "the index of a do");
    loop->body = sial_parse_statements(parser);
    if (!sial_accept(parser, parallel ? TOKEN_ENDPARDO : TOKEN_ENDDO))
        sial_expected(parser, "a statement or `end%s` for the `%s` of line %d", word, word,
                      loop->place.line);
    if (parallel)
        parse_pardo_end(parser, loop);
    else
        sial_end_name(parser, "enddo", loop->indices[0]);
}
