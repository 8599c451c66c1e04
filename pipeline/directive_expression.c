/* Expressions of integers, named constants and the iterator: read, and evaluated as
 * factor * iterator + constant. */
#include <string.h>

#include "directive_internal.h"

enum { DEPTH_MAX = 32 };

/* ---- reading ---- */

static enum dm_status add_node(struct directive_parser *parser, struct directive_node node,
                               int *index)
{
    struct pipeline_directive *directive = parser->directive;
    if (directive->node_count == DIRECTIVE_NODES)
        return directive_fail(node.place,
                              "the expressions of a directive have at most %d terms and signs",
                              DIRECTIVE_NODES);
    *index = directive->node_count;
    directive->nodes[directive->node_count++] = node;
    return DM_OK;
}

static enum dm_status read_sum(struct directive_parser *parser, int *node);

static enum dm_status read_name(struct directive_parser *parser, int *node)
{
    const struct directive_token *token = directive_next(parser);
    char name[DIRECTIVE_NAME];
    TRY(directive_need_name(parser, "a number, a name or `(`", name));
    return add_node(parser,
                    (struct directive_node){.kind = DIRECTIVE_CONSTANT,
                                            .name = token->text,
                                            .name_length = token->length,
                                            .place = token->place},
                    node);
}

static enum dm_status read_factor(struct directive_parser *parser, int *node)
{
    const struct directive_token *token = directive_next(parser);
    if (++parser->depth > DEPTH_MAX)
        return directive_fail(token->place, "expressions nest at most %d parentheses and signs",
                              DEPTH_MAX);
    if (token->kind == TOKEN_NUMBER) {
        parser->next++;
        TRY(add_node(parser,
                     (struct directive_node){
                         .kind = DIRECTIVE_NUMBER, .number = token->number, .place = token->place},
                     node));
    } else if (directive_take(parser, "(")) {
        TRY(read_sum(parser, node));
        TRY(directive_need(parser, ")", "the expression"));
    } else if (directive_take(parser, "-")) {
        int operand;
        TRY(read_factor(parser, &operand));
        TRY(add_node(parser,
                     (struct directive_node){
                         .kind = DIRECTIVE_NEGATE, .left = operand, .place = token->place},
                     node));
    } else {
        TRY(read_name(parser, node));
    }
    parser->depth--;
    return DM_OK;
}

static enum dm_status read_chain(struct directive_parser *parser, int *node, const char *signs,
                                 const enum directive_operator *kinds,
                                 enum dm_status (*read_operand)(struct directive_parser *, int *))
{
    TRY(read_operand(parser, node));
    for (;;) {
        const struct directive_token *token = directive_next(parser);
        const char *sign =
            token->kind == TOKEN_SIGN ? strchr(signs, parser->directive->text[token->text]) : NULL;
        int right;
        if (!sign)
            return DM_OK;
        parser->next++;
        TRY(read_operand(parser, &right));
        TRY(add_node(
            parser,
            (struct directive_node){
                .kind = kinds[sign - signs], .left = *node, .right = right, .place = token->place},
            node));
    }
}

static enum dm_status read_product(struct directive_parser *parser, int *node)
{
    static const enum directive_operator kinds[] = {DIRECTIVE_MULTIPLY, DIRECTIVE_DIVIDE,
                                                    DIRECTIVE_REMAINDER};
    return read_chain(parser, node, "*/%", kinds, read_factor);
}

static enum dm_status read_sum(struct directive_parser *parser, int *node)
{
    static const enum directive_operator kinds[] = {DIRECTIVE_ADD, DIRECTIVE_SUBTRACT};
    return read_chain(parser, node, "+-", kinds, read_product);
}

enum dm_status directive_parse_expression(struct directive_parser *parser, int *node)
{
    parser->depth = 0;
    return read_sum(parser, node);
}

/* ---- the iterator ---- */

bool directive_moves(const struct pipeline_directive *directive, int node)
{
    const struct directive_node *at = &directive->nodes[node];
    switch (at->kind) {
    case DIRECTIVE_NUMBER:
    case DIRECTIVE_CONSTANT:
        return false;
    case DIRECTIVE_ITERATOR:
        return true;
    case DIRECTIVE_NEGATE:
        return directive_moves(directive, at->left);
    default:
        return directive_moves(directive, at->left) || directive_moves(directive, at->right);
    }
}

static bool is_linear(const struct pipeline_directive *directive, const struct directive_node *node)
{
    if (node->kind < DIRECTIVE_MULTIPLY)
        return true;
    bool left = directive_moves(directive, node->left);
    bool right = directive_moves(directive, node->right);
    return node->kind == DIRECTIVE_MULTIPLY ? !(left && right) : !left && !right;
}

enum dm_status directive_mark_iterator(struct pipeline_directive *directive)
{
    size_t length = strlen(directive->iterator);
    for (int i = 0; i < directive->node_count; i++) {
        struct directive_node *node = &directive->nodes[i];
        if (node->kind == DIRECTIVE_CONSTANT && node->name_length == (int)length &&
            memcmp(directive->text + node->name, directive->iterator, length) == 0)
            node->kind = DIRECTIVE_ITERATOR;
    }
    /* Operands stand before their operator. */
    for (int i = 0; i < directive->node_count; i++)
        if (!is_linear(directive, &directive->nodes[i]))
            return directive_fail(directive->nodes[i].place,
                                  "the iterator `%s` may be multiplied by a constant, not by "
                                  "itself, nor be divided: slices must follow one another evenly",
                                  directive->iterator);
    return DM_OK;
}

/* ---- values ---- */

static enum dm_status find_constant(const struct pipeline_directive *directive,
                                    const struct pipeline_names *names,
                                    const struct directive_node *node, long *value)
{
    for (int i = 0; i < names->constant_count; i++) {
        const struct pipeline_constant *constant = &names->constants[i];
        if (strlen(constant->name) == (size_t)node->name_length &&
            memcmp(constant->name, directive->text + node->name, (size_t)node->name_length) == 0) {
            *value = constant->value;
            return DM_OK;
        }
    }
    return directive_fail(node->place, "the constant `%.*s` has no value", node->name_length,
                          directive->text + node->name);
}

static enum dm_status divide(const struct directive_node *node, long left, long right, long *value)
{
    if (right == 0)
        return directive_fail(node->place, "division by 0");
    if (right == -1)
        return __builtin_sub_overflow(0L, node->kind == DIRECTIVE_DIVIDE ? left : 0L, value)
                   ? directive_fail(node->place, "a value is beyond 64 bits")
                   : DM_OK;
    *value = node->kind == DIRECTIVE_DIVIDE ? left / right : left % right;
    return DM_OK;
}

/* One of the operands of a product does not move: its factor is 0. */
static bool multiply(struct directive_linear left, struct directive_linear right,
                     struct directive_linear *value)
{
    struct directive_linear moving = left.factor ? left : right;
    long by = left.factor ? right.constant : left.constant;
    return __builtin_mul_overflow(moving.factor, by, &value->factor) ||
           __builtin_mul_overflow(moving.constant, by, &value->constant);
}

static enum dm_status combine(const struct directive_node *node, struct directive_linear left,
                              struct directive_linear right, struct directive_linear *value)
{
    bool overflow;
    if (node->kind == DIRECTIVE_DIVIDE || node->kind == DIRECTIVE_REMAINDER)
        return divide(node, left.constant, right.constant, &value->constant);
    if (node->kind == DIRECTIVE_ADD)
        overflow = __builtin_add_overflow(left.factor, right.factor, &value->factor) ||
                   __builtin_add_overflow(left.constant, right.constant, &value->constant);
    else if (node->kind == DIRECTIVE_MULTIPLY)
        overflow = multiply(left, right, value);
    else /* a negation subtracts from 0 */
        overflow = __builtin_sub_overflow(left.factor, right.factor, &value->factor) ||
                   __builtin_sub_overflow(left.constant, right.constant, &value->constant);
    return overflow ? directive_fail(node->place, "a value is beyond 64 bits") : DM_OK;
}

enum dm_status directive_evaluate(const struct pipeline_directive *directive,
                                  const struct pipeline_names *names, int node,
                                  struct directive_linear *value, bool *known)
{
    const struct directive_node *at = &directive->nodes[node];
    struct directive_linear left = {0, 0}, right = {0, 0};
    *value = (struct directive_linear){0, 0};
    *known = true;
    if (at->kind == DIRECTIVE_NUMBER) {
        value->constant = at->number;
        return DM_OK;
    }
    if (at->kind == DIRECTIVE_ITERATOR) {
        value->factor = 1;
        return DM_OK;
    }
    if (at->kind == DIRECTIVE_CONSTANT) {
        *known = names != NULL;
        return names ? find_constant(directive, names, at, &value->constant) : DM_OK;
    }
    bool left_known = true, right_known;
    if (at->kind != DIRECTIVE_NEGATE)
        TRY(directive_evaluate(directive, names, at->left, &left, &left_known));
    int last = at->kind == DIRECTIVE_NEGATE ? at->left : at->right;
    TRY(directive_evaluate(directive, names, last, &right, &right_known));
    *known = left_known && right_known;
    return *known ? combine(at, left, right, value) : DM_OK;
}
