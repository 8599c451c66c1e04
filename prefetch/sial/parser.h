/* parser.h: what the parts of the parser share. Each parse function starts at the first token of
 * what it reads and stops at the one behind it. */
#ifndef PREFETCH_SIAL_PARSER_H
#define PREFETCH_SIAL_PARSER_H

#include "prefetch/sial/lexer.h"
#include "prefetch/sial/tree.h"

/* Statements and parentheses in one another: keeps the C stack small whatever the input. */
enum { SIAL_DEPTH_MAX = 100 };

struct parser {
    struct compiler *compiler;
    struct lexer lexer;
    struct token token; /* the next one */
    int depth;
};

static inline bool sial_at(const struct parser *parser, enum token_kind kind)
{
    return parser->token.kind == kind;
}

/* Ends with `expected WHAT, found TOKEN`. */
_Noreturn void sial_expected(struct parser *parser, const char *format, ...) SIAL_PRINTF(2, 3);

void sial_next(struct parser *parser);
/* Passes the token if it is of this kind. */
bool sial_accept(struct parser *parser, enum token_kind kind);
/* Passes a token of this kind; any other one is an error. */
void sial_expect(struct parser *parser, enum token_kind kind, const char *what);
struct name sial_expect_name(struct parser *parser, const char *what);
void sial_end_line(struct parser *parser, const char *after);

/* The name that may follow a closing word must be that of what it closes. */
void sial_end_name(struct parser *parser, const char *word, struct name opened);

/* One level deeper, an error below the limit; the caller takes it back. */
void sial_deeper(struct parser *parser, const char *what);

/* [index, ...] behind the name of an array; stars: * may stand for an index. */
struct block *sial_parse_block(struct parser *parser, struct name array, bool stars);
struct block *sial_expect_block(struct parser *parser, bool stars);

/* Any expression, also a condition; the checker sorts them out. */
struct expression *sial_parse_expression(struct parser *parser);
/* The same, where only a condition makes sense. */
struct expression *sial_parse_condition(struct parser *parser);
/* What print prints; what execute passes on. */
struct expression *sial_parse_item(struct parser *parser);
struct expression *sial_parse_argument(struct parser *parser);

/* Statements up to a word that ends or divides a group of them. */
struct statement *sial_parse_statements(struct parser *parser);
void sial_parse_loop(struct parser *parser, struct statement *statement);

#endif
