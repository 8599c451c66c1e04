#include "prefetch/sial/parser.h"

static struct expression *new_expression(struct parser *parser, enum expression_kind kind,
                                         struct place place)
{
    struct expression *expression = sial_take(parser->compiler, sizeof *expression);
    expression->kind = kind;
    expression->place = place;
    return expression;
}

/* Links an operand in; `end` is where the operands so far end. */
static void add_operand(struct expression *expression, struct expression ***end,
                        struct expression *operand)
{
    enum { MANY = 3 };
    **end = operand;
    *end = &operand->next;
    expression->blocks += operand->blocks;
    if (expression->blocks > MANY)
        expression->blocks = MANY;
}

static struct expression *with_operand(struct parser *parser, enum expression_kind kind,
                                       struct place place, struct expression *operand)
{
    struct expression *expression = new_expression(parser, kind, place);
    struct expression **end = &expression->first;
    add_operand(expression, &end, operand);
    return expression;
}

struct block *sial_parse_block(struct parser *parser, struct name array, bool stars)
{
    struct block *block = sial_take(parser->compiler, sizeof *block);
    block->array = array;
    sial_expect(parser, TOKEN_OPEN_BRACKET, "`[` after the name of an array");
    do {
        struct name *index = &block->indices[block->rank];
        if (block->rank == SIAL_RANK_MAX)
            sial_fail(parser->compiler, parser->token.place, "an array has at most %d dimensions",
                      SIAL_RANK_MAX);
        index->place = parser->token.place;
        if (!stars || !sial_accept(parser, TOKEN_TIMES))
            *index = sial_expect_name(parser, stars ? "an index or `*`" : "an index");
        block->rank++;
    } while (sial_accept(parser, TOKEN_COMMA));
    sial_expect(parser, TOKEN_CLOSE_BRACKET, "`]` or `,` after an index");
    return block;
}

struct block *sial_expect_block(struct parser *parser, bool stars)
{
    return sial_parse_block(parser, sial_expect_name(parser, "a block, as in a[i,j]"), stars);
}

static struct expression *parse_name_or_block(struct parser *parser)
{
    struct name name = sial_expect_name(parser, "a number, a name, a block or `(`");
    struct expression *expression = new_expression(parser, EXPRESSION_NAME, name.place);
    expression->name = name;
    if (sial_at(parser, TOKEN_OPEN_BRACKET)) {
        expression->kind = EXPRESSION_BLOCK;
        expression->block = sial_parse_block(parser, name, false);
        expression->blocks = 1;
    }
    return expression;
}

static struct expression *parse_number(struct parser *parser)
{
    struct expression *number = new_expression(parser, EXPRESSION_NUMBER, parser->token.place);
    number->number = parser->token.number;
    number->type = sial_at(parser, TOKEN_WHOLE) ? VALUE_INT : VALUE_SCALAR;
    sial_next(parser);
    return number;
}

static struct expression *parse_factor(struct parser *parser);

/* (expression), (int) factor, (scalar) factor */
static struct expression *parse_parentheses(struct parser *parser)
{
    struct place place = parser->token.place;
    sial_expect(parser, TOKEN_OPEN, "`(`");
    if (sial_at(parser, TOKEN_INT) || sial_at(parser, TOKEN_SCALAR)) {
        enum expression_kind kind =
            sial_at(parser, TOKEN_INT) ? EXPRESSION_TO_INT : EXPRESSION_TO_SCALAR;
        sial_next(parser);
        sial_expect(parser, TOKEN_CLOSE, "`)` after the type");
        return with_operand(parser, kind, place, parse_factor(parser));
    }
    struct expression *inner = sial_parse_expression(parser);
    sial_expect(parser, TOKEN_CLOSE, "an operator or `)`");
    return inner;
}

static struct expression *parse_function(struct parser *parser, enum expression_kind kind)
{
    struct place place = parser->token.place;
    sial_next(parser);
    sial_expect(parser, TOKEN_OPEN, "`(` after the name of a function");
    struct expression *argument = sial_parse_expression(parser);
    sial_expect(parser, TOKEN_CLOSE, "an operator or `)`");
    return with_operand(parser, kind, place, argument);
}

static struct expression *parse_plain_factor(struct parser *parser)
{
    struct place place = parser->token.place;
    switch (parser->token.kind) {
    case TOKEN_WHOLE:
    case TOKEN_REAL:
        return parse_number(parser);
    case TOKEN_OPEN:
        return parse_parentheses(parser);
    case TOKEN_SQRT:
        return parse_function(parser, EXPRESSION_SQUARE_ROOT);
    case TOKEN_ABS:
        return parse_function(parser, EXPRESSION_ABSOLUTE);
    case TOKEN_MINUS:
        sial_next(parser);
        return with_operand(parser, EXPRESSION_NEGATE, place, parse_factor(parser));
    default:
        return parse_name_or_block(parser);
    }
}

static struct expression *parse_factor(struct parser *parser)
{
    sial_deeper(parser, "expression");
    struct expression *factor = parse_plain_factor(parser);
    parser->depth--;
    return factor;
}

/* Operands between the two operators, of which `inverse` undoes the other one. */
static struct expression *parse_chain(struct parser *parser, enum expression_kind kind,
                                      enum token_kind plain, enum token_kind inverse,
                                      struct expression *(*parse_operand)(struct parser *))
{
    struct expression *operand = parse_operand(parser), *chain = NULL, **end = NULL;
    while (sial_at(parser, plain) || sial_at(parser, inverse)) {
        if (!chain) {
            chain = new_expression(parser, kind, operand->place);
            end = &chain->first;
            add_operand(chain, &end, operand);
        }
        bool is_inverse = plain != inverse && sial_at(parser, inverse);
        sial_next(parser);
        operand = parse_operand(parser);
        operand->inverse = is_inverse;
        add_operand(chain, &end, operand);
    }
    return chain ? chain : operand;
}

static struct expression *parse_product(struct parser *parser)
{
    return parse_chain(parser, EXPRESSION_PRODUCT, TOKEN_TIMES, TOKEN_DIVIDE, parse_factor);
}

/* The sign of a whole product, so that -a[i]*b[i] is minus the product of two blocks. */
static struct expression *parse_signed_product(struct parser *parser)
{
    struct place place = parser->token.place;
    if (!sial_accept(parser, TOKEN_MINUS))
        return parse_product(parser);
    return with_operand(parser, EXPRESSION_NEGATE, place, parse_product(parser));
}

static struct expression *parse_sum(struct parser *parser)
{
    return parse_chain(parser, EXPRESSION_SUM, TOKEN_PLUS, TOKEN_MINUS, parse_signed_product);
}

static bool comparison_of(enum token_kind kind, enum sial_operation *comparison)
{
    static const struct {
        enum token_kind kind;
        enum sial_operation comparison;
    } comparisons[] = {{TOKEN_LESS, SIAL_LESS},       {TOKEN_LESS_EQUAL, SIAL_LESS_EQUAL},
                       {TOKEN_GREATER, SIAL_GREATER}, {TOKEN_GREATER_EQUAL, SIAL_GREATER_EQUAL},
                       {TOKEN_EQUAL, SIAL_EQUAL},     {TOKEN_NOT_EQUAL, SIAL_NOT_EQUAL}};
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        if (comparisons[i].kind == kind) {
            *comparison = comparisons[i].comparison;
            return true;
        }
    return false;
}

static struct expression *parse_comparison(struct parser *parser)
{
    enum sial_operation comparison;
    struct expression *left = parse_sum(parser);
    if (!comparison_of(parser->token.kind, &comparison))
        return left;
    struct expression *expression = new_expression(parser, EXPRESSION_COMPARE, left->place);
    struct expression **end = &expression->first;
    sial_next(parser);
    expression->comparison = comparison;
    add_operand(expression, &end, left);
    add_operand(expression, &end, parse_sum(parser));
    return expression;
}

static struct expression *parse_not(struct parser *parser)
{
    struct place place = parser->token.place;
    if (!sial_accept(parser, TOKEN_NOT))
        return parse_comparison(parser);
    sial_deeper(parser, "condition");
    struct expression *expression = with_operand(parser, EXPRESSION_NOT, place, parse_not(parser));
    parser->depth--;
    return expression;
}

/* `and` and `or` have no inverse, so one word stands for both operators of the chain. */
static struct expression *parse_and(struct parser *parser)
{
    return parse_chain(parser, EXPRESSION_AND, TOKEN_AND, TOKEN_AND, parse_not);
}

struct expression *sial_parse_expression(struct parser *parser)
{
    return parse_chain(parser, EXPRESSION_OR, TOKEN_OR, TOKEN_OR, parse_and);
}

struct expression *sial_parse_condition(struct parser *parser)
{
    struct expression *condition = sial_parse_expression(parser);
    if (sial_at(parser, TOKEN_SET))
        sial_fail(parser->compiler, parser->token.place, "`=` assigns; `==` compares");
    return condition;
}

static struct expression *parse_string(struct parser *parser)
{
    struct expression *string = new_expression(parser, EXPRESSION_STRING, parser->token.place);
    string->string = parser->token.text;
    sial_next(parser);
    return string;
}

struct expression *sial_parse_item(struct parser *parser)
{
    return sial_at(parser, TOKEN_STRING) ? parse_string(parser) : sial_parse_expression(parser);
}

struct expression *sial_parse_argument(struct parser *parser)
{
    if (sial_at(parser, TOKEN_STRING))
        return parse_string(parser);
    bool negative = sial_accept(parser, TOKEN_MINUS);
    if (sial_at(parser, TOKEN_WHOLE) || sial_at(parser, TOKEN_REAL)) {
        struct expression *number = parse_number(parser);
        if (negative)
            number->number = -number->number;
        return number;
    }
    if (negative)
        sial_expected(parser, "a number after `-`");
    if (!sial_at(parser, TOKEN_NAME))
        sial_expected(parser, "an argument: a block, a name, a number or a string");
    return parse_name_or_block(parser);
}
