/* directive_internal.h: what the files of the directive share. */
#ifndef PIPELINE_DIRECTIVE_INTERNAL_H
#define PIPELINE_DIRECTIVE_INTERNAL_H

#include <limits.h>

#include "directive.h"

/* ---- words and signs ---- */

enum directive_token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_SIGN, TOKEN_END };

struct directive_token {
    enum directive_token_kind kind;
    int text, length; /* in the text */
    long number;
    struct directive_place place;
};

enum { DIRECTIVE_TOKENS = DIRECTIVE_TEXT };

struct directive_parser {
    struct directive *directive;
    struct directive_error *error;
    struct directive_token tokens[DIRECTIVE_TOKENS];
    int next;
    int depth; /* of the expression */
};

/* Fills the parser's tokens, the last being TOKEN_END; false with an error. */
bool directive_read_tokens(struct directive_parser *parser);

/* Notes the error and returns false. */
bool directive_fail(struct directive_error *error, struct directive_place place, const char *format,
                    ...) __attribute__((format(printf, 3, 4)));

const struct directive_token *directive_next(const struct directive_parser *parser);

/* Fails with "expected <what>, found <the next token>". */
bool directive_expected(struct directive_parser *parser, const char *what);

/* Whether the token after `ahead` others is this sign or word. */
bool directive_sees(const struct directive_parser *parser, int ahead, const char *text);

/* Takes the sign or word if it is next. */
bool directive_take(struct directive_parser *parser, const char *text);

/* The same, and an error if it is not; `after` says what stands before it, or is NULL. */
bool directive_need(struct directive_parser *parser, const char *text, const char *after);

/* Takes a name of at most DIRECTIVE_NAME - 1 characters. */
bool directive_need_name(struct directive_parser *parser, const char *what, char *name);

/* ---- expressions ---- */

/* Reads an expression; its node is *node. */
bool directive_parse_expression(struct directive_parser *parser, int *node);

/* Reads what follows the word `map`. */
bool directive_parse_map(struct directive_parser *parser);

/* Once the iterator is known: marks its nodes, and fails on an expression that is not linear in it.
 */
bool directive_mark_iterator(struct directive *directive, struct directive_error *error);

bool directive_moves(const struct directive *directive, int node);

/* factor * iterator + constant. */
struct directive_linear {
    long factor, constant;
};

/* Without names a value that hangs on a named constant is not known: *known becomes false. Returns
 * false with an error on overflow, division by 0 and, with names, an unknown constant. */
bool directive_evaluate(const struct directive *directive, const struct directive_names *names,
                        int node, struct directive_linear *value, bool *known,
                        struct directive_error *error);

/* ---- what a directive means ---- */

/* Values of a range; of use only where they are known: with names always. */
struct directive_range {
    long begin, end, step;
};

/* Whether iterator and bounds make sense as far as they are known. */
bool directive_check_range(const struct directive *directive, const struct directive_names *names,
                           struct directive_range *range, struct directive_error *error);

/* Values of a bracket, likewise. */
struct directive_section {
    struct directive_linear begin;
    long length;
};

bool directive_check_section(const struct directive *directive, const struct directive_names *names,
                             const struct directive_bracket *bracket,
                             struct directive_section *section, struct directive_error *error);

/* A number of at least 1 such as chunk_size; *value is left alone if it is absent or not known. */
bool directive_check_count(const struct directive *directive, const struct directive_names *names,
                           int node, const char *what, long most, long *value,
                           struct directive_error *error);

/* Chunk size and overlap that all items agree upon, each left alone if no item says it. */
bool directive_check_counts(const struct directive *directive, const struct directive_names *names,
                            long *chunk_size, long *overlap, struct directive_error *error);

/* Everything that can be said about a directive before its names have values. */
bool directive_check(const struct directive *directive, struct directive_error *error);

#endif
