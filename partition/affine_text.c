/* affine_text.c: isl's notation, by recursive descent.
 *
 *     text        := [ '[' names ']' '->' ] '{' piece { ';' piece } '}'
 *     piece       := [ tuple '->' tuple ] [ ':' alternative { 'or' alternative } ]
 *     tuple       := [ name ] '[' [ item { ',' item } ] ']'
 *     item        := a new name | a new name '=' sum | sum
 *     alternative := conjunction | '(' conjunction ')'
 *     conjunction := chain { 'and' chain }
 *     chain       := sum { ( '<' | '<=' | '>' | '>=' | '=' ) sum }
 *     sum         := [ '-' ] term { ( '+' | '-' ) term }
 *     term        := [ NUMBER [ '*' ] ] factor | NUMBER | '(' sum ')' [ 'mod' NUMBER ]
 *     factor      := name | 'floor' '(' '(' sum ')' '/' NUMBER ')'
 *
 * Whatever else there is, words of isl's among them, ends the reading: isl knows what it means. */
#include "affine_text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "affine_pieces.h"

enum { DEPTH_MAX = 16 };

struct reader {
    const char *at;
    int depth;
    struct affine_pieces *pieces;
    struct affine_piece piece;
};

static void skip_spaces(struct reader *reader)
{
    while (isspace((unsigned char)*reader->at))
        reader->at++;
}

static bool accept(struct reader *reader, const char *sign)
{
    const size_t length = strlen(sign);

    skip_spaces(reader);
    if (strncmp(reader->at, sign, length) != 0)
        return false;
    reader->at += length;
    return true;
}

static size_t word_length(const struct reader *reader)
{
    const char *at = reader->at;
    size_t length = 0;

    if (isalpha((unsigned char)*at) || *at == '_')
        while (isalnum((unsigned char)at[length]) || at[length] == '_')
            length++;
    return length;
}

static bool accept_word(struct reader *reader, const char *word)
{
    skip_spaces(reader);
    if (word_length(reader) != strlen(word) || strncasecmp(reader->at, word, strlen(word)) != 0)
        return false;
    reader->at += strlen(word);
    return true;
}

/* A word that means something to isl is no name. */
static bool is_reserved(const char *name)
{
    static const char *const words[] = {"exists",   "and",   "or",     "implies", "not",  "infty",
                                        "infinity", "nan",   "min",    "max",     "rat",  "true",
                                        "false",    "ceild", "floord", "mod",     "ceil", "floor"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(name, words[i]) == 0)
            return true;
    return false;
}

static bool read_name(struct reader *reader, char name[AFFINE_NAME_BYTES])
{
    skip_spaces(reader);
    const size_t length = word_length(reader);
    if (length == 0 || length >= AFFINE_NAME_BYTES)
        return false;
    memcpy(name, reader->at, length);
    name[length] = 0;
    if (is_reserved(name))
        return false;
    reader->at += length;
    return true;
}

/* ---- sums ---- */

static bool read_sum(struct reader *reader, struct affine_row *sum);

static bool read_number(struct reader *reader, int64_t *number)
{
    *number = 0;
    if (!isdigit((unsigned char)*reader->at))
        return false;
    for (; isdigit((unsigned char)*reader->at); reader->at++)
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, *reader->at - '0', number))
            return false;
    return true;
}

static bool add_variable(int variable, int64_t factor, struct affine_row *sum)
{
    return variable >= 0 &&
           !__builtin_add_overflow(sum->factors[variable], factor, &sum->factors[variable]);
}

static bool read_inner(struct reader *reader, struct affine_row *inner)
{
    if (!accept(reader, "(") || reader->depth == DEPTH_MAX)
        return false;
    reader->depth++;
    const bool good = read_sum(reader, inner) && accept(reader, ")");
    reader->depth--;
    return good;
}

/* A divisor that fits into 31 bits, so that its product with 1 or -1 and the like does, too. */
static bool read_divisor(struct reader *reader, int64_t *divisor)
{
    skip_spaces(reader);
    return read_number(reader, divisor) && *divisor > 0 && *divisor <= INT32_MAX;
}

static bool add_floor(struct reader *reader, int64_t factor, struct affine_row *sum)
{
    struct affine_row inner;
    int64_t divisor;

    return accept(reader, "(") && read_inner(reader, &inner) && accept(reader, "/") &&
           read_divisor(reader, &divisor) && accept(reader, ")") &&
           add_variable(affine_piece_quotient(reader->pieces, &reader->piece, &inner, divisor),
                        factor, sum);
}

static bool add_inner(struct reader *reader, int64_t sign, struct affine_row *sum)
{
    struct affine_row inner;
    int64_t divisor;

    if (!read_inner(reader, &inner))
        return false;
    if (accept_word(reader, "mod")) {
        if (!read_divisor(reader, &divisor) ||
            !add_variable(affine_piece_quotient(reader->pieces, &reader->piece, &inner, divisor),
                          -divisor, &inner))
            return false;
    }
    return affine_row_add(sum, &inner, sign);
}

static bool add_factor(struct reader *reader, int64_t number, struct affine_row *sum)
{
    char name[AFFINE_NAME_BYTES];

    if (accept_word(reader, "floor"))
        return add_floor(reader, number, sum);
    return read_name(reader, name) &&
           add_variable(affine_piece_find(reader->pieces, &reader->piece, name), number, sum);
}

/* A word of isl's behind a number is none of the sum's. */
static bool begins_factor(struct reader *reader)
{
    char name[AFFINE_NAME_BYTES];
    const char *before = reader->at;
    const bool begins = accept_word(reader, "floor") || read_name(reader, name);

    reader->at = before;
    return begins;
}

static bool add_term(struct reader *reader, int64_t sign, struct affine_row *sum)
{
    int64_t number;

    skip_spaces(reader);
    if (*reader->at == '(')
        return add_inner(reader, sign, sum);
    if (!isdigit((unsigned char)*reader->at))
        return add_factor(reader, sign, sum);
    if (!read_number(reader, &number))
        return false;
    if (accept(reader, "*") || begins_factor(reader))
        return add_factor(reader, sign * number, sum);
    return !__builtin_add_overflow(sum->constant, sign * number, &sum->constant);
}

/* An arrow is no minus sign. */
static bool accept_minus(struct reader *reader)
{
    skip_spaces(reader);
    return reader->at[0] == '-' && reader->at[1] != '>' && accept(reader, "-");
}

static bool read_sum(struct reader *reader, struct affine_row *sum)
{
    *sum = (struct affine_row){.is_equality = false};
    if (!add_term(reader, accept_minus(reader) ? -1 : 1, sum))
        return false;
    for (;;) {
        const bool plus = accept(reader, "+");
        if (!plus && !accept_minus(reader))
            return true;
        if (!add_term(reader, plus ? 1 : -1, sum))
            return false;
    }
}

/* ---- conditions ---- */

enum relation { LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, NO_RELATION };

static enum relation read_relation(struct reader *reader)
{
    static const char *const signs[] = {[LESS_EQUAL] = "<=", [GREATER_EQUAL] = ">=", [EQUAL] = "="};

    for (enum relation i = LESS_EQUAL; i <= EQUAL; i++)
        if (signs[i] && accept(reader, signs[i]))
            return i;
    if (accept(reader, "<"))
        return LESS;
    return accept(reader, ">") ? GREATER : NO_RELATION;
}

/* As something that is 0, or at least 0. */
static bool add_relation(struct reader *reader, const struct affine_row *left,
                         enum relation relation, const struct affine_row *right)
{
    const bool falls = relation == GREATER || relation == GREATER_EQUAL;
    struct affine_row row = falls ? *left : *right;

    if (!affine_row_add(&row, falls ? right : left, -1))
        return false;
    row.is_equality = relation == EQUAL;
    if ((relation == LESS || relation == GREATER) &&
        __builtin_sub_overflow(row.constant, 1, &row.constant))
        return false;
    return affine_piece_constrain(&reader->piece, &row);
}

static bool read_chain(struct reader *reader)
{
    struct affine_row left, right;
    enum relation relation;
    int relations = 0;

    if (!read_sum(reader, &left))
        return false;
    for (; (relation = read_relation(reader)) != NO_RELATION; relations++, left = right)
        if (!read_sum(reader, &right) || !add_relation(reader, &left, relation, &right))
            return false;
    return relations > 0;
}

static bool read_conjunction(struct reader *reader)
{
    do
        if (!read_chain(reader))
            return false;
    while (accept_word(reader, "and"));
    return true;
}

/* What is to be tried in one way and then in another. */
struct place {
    const char *at;
    size_t rows;
    int quotients;
};

static struct place place_of(const struct reader *reader)
{
    return (struct place){reader->at, reader->piece.row_count, reader->piece.quotients};
}

static void forget_since(struct reader *reader, const struct place *place)
{
    reader->piece.row_count = place->rows;
    reader->piece.quotients = place->quotients;
}

static bool read_group(struct reader *reader)
{
    if (!accept(reader, "(") || !read_conjunction(reader) || !accept(reader, ")"))
        return false;
    skip_spaces(reader);
    return *reader->at == ';' || *reader->at == '}' || word_length(reader) == strlen("or");
}

/* Parentheses are around all of it, or begin a sum. */
static bool read_alternative(struct reader *reader)
{
    const struct place begin = place_of(reader);

    if (read_group(reader))
        return true;
    reader->at = begin.at;
    forget_since(reader, &begin);
    return read_conjunction(reader);
}

/* Each alternative makes a piece of its own, with what holds for all of them. */
static bool read_condition(struct reader *reader)
{
    const struct place common = place_of(reader);

    do {
        forget_since(reader, &common);
        if (!read_alternative(reader) || !affine_pieces_add(reader->pieces, &reader->piece))
            return false;
    } while (accept_word(reader, "or"));
    return true;
}

/* ---- tuples ---- */

static bool add_sum_item(struct reader *reader, int variable)
{
    struct affine_row sum;

    if (!read_sum(reader, &sum) ||
        __builtin_sub_overflow(sum.factors[variable], 1, &sum.factors[variable]))
        return false;
    sum.is_equality = true;
    return affine_piece_constrain(&reader->piece, &sum);
}

/* A name that is new is that of the dimension; with an equals sign behind it the sum follows. */
static bool read_item(struct reader *reader, bool output)
{
    char name[AFFINE_NAME_BYTES];
    const char *begin = reader->at;
    struct affine_piece *piece = &reader->piece;
    const bool is_new =
        read_name(reader, name) && affine_piece_find(reader->pieces, piece, name) < 0;

    if (!is_new)
        reader->at = begin;
    const int variable = affine_piece_dimension(reader->pieces, piece, output, is_new ? name : "");
    if (variable < 0)
        return false;
    return is_new && !accept(reader, "=") ? true : add_sum_item(reader, variable);
}

static bool read_tuple(struct reader *reader, bool output)
{
    char *name = reader->piece.tuples[output];

    skip_spaces(reader);
    if (*reader->at != '[' && !read_name(reader, name))
        return false;
    if (!accept(reader, "["))
        return false;
    if (accept(reader, "]"))
        return true;
    do
        if (!read_item(reader, output))
            return false;
    while (accept(reader, ","));
    return accept(reader, "]");
}

/* ---- all of it ---- */

static bool read_piece(struct reader *reader)
{
    affine_piece_clear(&reader->piece);
    if (reader->pieces->is_map &&
        !(read_tuple(reader, false) && accept(reader, "->") && read_tuple(reader, true)))
        return false;
    if (accept(reader, ":"))
        return read_condition(reader);
    return reader->pieces->is_map && affine_pieces_add(reader->pieces, &reader->piece);
}

static bool read_parameters(struct reader *reader)
{
    char name[AFFINE_NAME_BYTES];

    if (!accept(reader, "["))
        return true;
    if (!accept(reader, "]")) {
        do
            if (!read_name(reader, name) || !affine_pieces_parameter(reader->pieces, name))
                return false;
        while (accept(reader, ","));
        if (!accept(reader, "]"))
            return false;
    }
    return accept(reader, "->");
}

static bool read_all(struct reader *reader)
{
    if (!read_parameters(reader) || !accept(reader, "{"))
        return false;
    do
        if (!read_piece(reader))
            return false;
    while (accept(reader, ";"));
    if (!accept(reader, "}"))
        return false;
    skip_spaces(reader);
    return *reader->at == 0;
}

static void keep_form(struct affine_pieces *pieces, struct affine_form **form)
{
    if (form)
        *form = pieces->form;
    else
        affine_form_free(pieces->form);
}

/* The union of the pieces, a map; NULL as said in the header. */
static isl_map *read_text(isl_ctx *ctx, const char *text, bool is_map, struct affine_form **form)
{
    struct affine_pieces *pieces = malloc(sizeof *pieces);
    struct reader *reader = malloc(sizeof *reader);
    isl_map *map = NULL;

    if (pieces && reader) {
        affine_pieces_start(pieces, ctx, is_map);
        reader->at = text;
        reader->depth = 0;
        reader->pieces = pieces;
        map = read_all(reader) ? pieces->map : isl_map_free(pieces->map);
        keep_form(pieces, map ? form : NULL);
    }
    free(reader);
    free(pieces);
    return map;
}

isl_map *affine_text_map(isl_ctx *ctx, const char *text, struct affine_form **form)
{
    if (form)
        *form = NULL;
    return read_text(ctx, text, true, form);
}

isl_map *affine_text_parameters(isl_ctx *ctx, const char *text)
{
    return read_text(ctx, text, false, NULL);
}
