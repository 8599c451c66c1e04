/* directive_internal.h: a directive as it was read, and what the files that read it share. */
#ifndef PIPELINE_DIRECTIVE_INTERNAL_H
#define PIPELINE_DIRECTIVE_INTERNAL_H

#include <limits.h>
#include <stdbool.h>

#include <datamotion/pipeline.h>

#include "common/error.h"

/* ---- a directive ---- */

enum {
    DIRECTIVE_TEXT = 4096, /* bytes of the longest directive, with its 0 */
    DIRECTIVE_NAME = 64,
    DIRECTIVE_ITEMS = DM_REGION_ARRAYS,
    DIRECTIVE_SPLITS = 2, /* dimensions of one array that may move with the iterator */
    DIRECTIVE_OTHERS = 16,
    DIRECTIVE_NODES = 1024,
    DIRECTIVE_ABSENT = -1 /* in the place of a node: the directive does not say it */
};

/* Lines and columns (bytes) count from 1. */
struct directive_place {
    int line, column;
};

/* One node of an expression: a number, a name, or an operator with one or two operands. */
struct directive_node {
    enum directive_operator {
        DIRECTIVE_NUMBER,
        DIRECTIVE_CONSTANT, /* a named one: `name` */
        DIRECTIVE_ITERATOR,
        DIRECTIVE_NEGATE,
        DIRECTIVE_ADD,
        DIRECTIVE_SUBTRACT,
        DIRECTIVE_MULTIPLY,
        DIRECTIVE_DIVIDE,
        DIRECTIVE_REMAINDER
    } kind;
    long number;
    int name, name_length; /* in the text */
    int left, right;       /* nodes */
    struct directive_place place;
};

struct directive_bracket {
    int begin, length; /* nodes; length may be DIRECTIVE_ABSENT: 1 */
    bool split;        /* begin moves with the iterator */
    struct directive_place place;
};

/* One array section of a map clause. */
struct directive_item {
    char name[DIRECTIVE_NAME];
    struct directive_place place;
    enum dm_region_direction direction; /* DM_REGION_TOFROM if the directive does not say it */
    bool direction_given;
    bool pipelined;                /* else plain map: the whole array, all the time */
    char iterator[DIRECTIVE_NAME]; /* that pipeline(...) names */
    struct directive_place iterator_place;
    int chunk_size, overlap; /* nodes of the first form, or DIRECTIVE_ABSENT */
    int num_block;           /* node of the second form, or DIRECTIVE_ABSENT */
    struct directive_bracket brackets[PIPELINE_DIMENSIONS];
    int dimensions;
};

enum directive_form {
    DIRECTIVE_EITHER, /* pipeline(k) belongs to both */
    DIRECTIVE_CHUNKS, /* chunk_size and overlap (3.2) */
    DIRECTIVE_BLOCKS  /* dirc and num_block (4.2.1) */
};

/* A clause that is not the extension's: device(1), private(j), nowait. Kept as it stands. */
struct directive_clause {
    int text, length; /* in the text */
};

struct pipeline_directive {
    char text[DIRECTIVE_TEXT];
    enum directive_form form;
    bool parallel, simd;           /* of `target teams distribute [parallel for] [simd]` */
    char iterator[DIRECTIVE_NAME]; /* empty: no iterator clause */
    int begin, end, step;          /* nodes; step may be DIRECTIVE_ABSENT: 1 */
    struct directive_item items[DIRECTIVE_ITEMS];
    int item_count;
    struct directive_clause others[DIRECTIVE_OTHERS];
    int other_count;
    struct directive_node nodes[DIRECTIVE_NODES];
    int node_count;
};

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
    struct pipeline_directive *directive;
    struct directive_token tokens[DIRECTIVE_TOKENS];
    int next;
    int depth; /* of the expression */
};

/* Fills the parser's tokens, the last being TOKEN_END. */
enum dm_status directive_read_tokens(struct directive_parser *parser);

/* Fails with DM_INVALID and a sentence that begins with the place. */
enum dm_status directive_fail(struct directive_place place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

const struct directive_token *directive_next(const struct directive_parser *parser);

/* Fails with "expected <what>, found <the next token>". */
enum dm_status directive_expected(struct directive_parser *parser, const char *what);

/* Whether the token after `ahead` others is this sign or word. */
bool directive_sees(const struct directive_parser *parser, int ahead, const char *text);

/* Takes the sign or word if it is next. */
bool directive_take(struct directive_parser *parser, const char *text);

/* The same, and an error if it is not; `after` says what stands before it, or is NULL. */
enum dm_status directive_need(struct directive_parser *parser, const char *text, const char *after);

/* Takes a name of at most DIRECTIVE_NAME - 1 characters. */
enum dm_status directive_need_name(struct directive_parser *parser, const char *what, char *name);

/* ---- expressions ---- */

/* Reads an expression; its node is *node. */
enum dm_status directive_parse_expression(struct directive_parser *parser, int *node);

/* Reads what follows the word `map`. */
enum dm_status directive_parse_map(struct directive_parser *parser);

/* Once the iterator is known: marks its nodes, and fails on an expression that is not linear in it.
 */
enum dm_status directive_mark_iterator(struct pipeline_directive *directive);

bool directive_moves(const struct pipeline_directive *directive, int node);

/* factor * iterator + constant. */
struct directive_linear {
    long factor, constant;
};

/* Without names a value that hangs on a named constant is not known: *known becomes false. Fails
 * on overflow, division by 0 and, with names, an unknown constant. */
enum dm_status directive_evaluate(const struct pipeline_directive *directive,
                                  const struct pipeline_names *names, int node,
                                  struct directive_linear *value, bool *known);

/* ---- what a directive means ---- */

/* Values of a range; of use only where they are known: with names always. */
struct directive_range {
    long begin, end, step;
};

/* Whether iterator and bounds make sense as far as they are known. */
enum dm_status directive_check_range(const struct pipeline_directive *directive,
                                     const struct pipeline_names *names,
                                     struct directive_range *range);

/* Values of a bracket, likewise. */
struct directive_section {
    struct directive_linear begin;
    long length;
};

enum dm_status directive_check_section(const struct pipeline_directive *directive,
                                       const struct pipeline_names *names,
                                       const struct directive_bracket *bracket,
                                       struct directive_section *section);

/* A number of at least 1 such as chunk_size; *value is left alone if it is absent or not known. */
enum dm_status directive_check_count(const struct pipeline_directive *directive,
                                     const struct pipeline_names *names, int node, const char *what,
                                     long maximum, long *value);

/* Chunk size and overlap that all items agree upon, each left alone if no item says it. */
enum dm_status directive_check_counts(const struct pipeline_directive *directive,
                                      const struct pipeline_names *names, long *chunk_size,
                                      long *overlap);

/* Everything that can be said about a directive before its names have values. */
enum dm_status directive_check(const struct pipeline_directive *directive);

#endif
