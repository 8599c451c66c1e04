#include <strings.h>

#include "prefetch/sial/checker.h"

static enum value_type check_value(struct scope *scope, struct expression *expression);

static enum value_type check_name(struct scope *scope, struct expression *expression)
{
    struct compiler *compiler = scope->compiler;
    struct symbol *symbol = sial_find(compiler, expression->name);
    const char *name = expression->name.text;
    expression->symbol = symbol;
    switch (symbol->kind) {
    case SYMBOL_INDEX:
        sial_check_index(scope, expression->name);
        return VALUE_INT;
    case SYMBOL_INT:
        return VALUE_INT;
    case SYMBOL_SCALAR:
        if (scope->in_where)
            sial_fail(compiler, expression->place,
                      "`%s` is a scalar, which may differ between workers: a where clause reads "
                      "indices, ints and constants",
                      name);
        return VALUE_SCALAR;
    case SYMBOL_CONSTANT:
    case SYMBOL_PREDEFINED:
        return symbol->type;
    case SYMBOL_ARRAY:
        sial_fail(compiler, expression->place,
                  "`%s` is an array: name one block of it, as in %s[i]", name, name);
    default:
        sial_fail(compiler, expression->place, "expected a number, but `%s` is %s", name,
                  sial_symbol_kind_text(symbol->kind));
    }
}

static void check_dot(struct scope *scope, const struct expression *left)
{
    if (scope->in_where)
        sial_fail(scope->compiler, left->place, "a where clause reads no blocks");
    sial_check_operand(scope, left->block);
    sial_check_operand(scope, left->next->block);
    sial_check_permutation(scope, left->block, left->next->block);
}

/* The number of a block is its product with another one, which must stand beside it. */
static bool is_dot(const struct expression *left)
{
    return left->kind == EXPRESSION_BLOCK && !left->inverse && left->next &&
           left->next->kind == EXPRESSION_BLOCK && !left->next->inverse;
}

static enum value_type check_product(struct scope *scope, struct expression *expression)
{
    enum value_type type = VALUE_INT;
    int dots = 0;
    for (struct expression *factor = expression->first; factor; factor = factor->next) {
        if (is_dot(factor)) {
            if (++dots > 1)
                sial_fail(scope->compiler, factor->place,
                          "more than two blocks in a product: put each pair in parentheses");
            check_dot(scope, factor);
            factor = factor->next;
            type = VALUE_SCALAR;
        } else if (sial_check_number(scope, factor) == VALUE_SCALAR) {
            type = VALUE_SCALAR;
        }
    }
    return type;
}

static enum value_type check_sum(struct scope *scope, struct expression *expression)
{
    enum value_type type = VALUE_INT;
    for (struct expression *term = expression->first; term; term = term->next)
        if (sial_check_number(scope, term) == VALUE_SCALAR)
            type = VALUE_SCALAR;
    return type;
}

static enum value_type check_operands(struct scope *scope, struct expression *expression,
                                      void (*check)(struct scope *, struct expression *))
{
    for (struct expression *operand = expression->first; operand; operand = operand->next)
        check(scope, operand);
    return VALUE_CONDITION;
}

static void check_any_number(struct scope *scope, struct expression *expression)
{
    sial_check_number(scope, expression);
}

static enum value_type check_value(struct scope *scope, struct expression *expression)
{
    switch (expression->kind) {
    case EXPRESSION_NUMBER:
        return expression->type;
    case EXPRESSION_NAME:
        return check_name(scope, expression);
    case EXPRESSION_SUM:
        return check_sum(scope, expression);
    case EXPRESSION_PRODUCT:
        return check_product(scope, expression);
    case EXPRESSION_NEGATE:
    case EXPRESSION_ABSOLUTE:
        return sial_check_number(scope, expression->first);
    case EXPRESSION_SQUARE_ROOT:
    case EXPRESSION_TO_SCALAR:
        sial_check_number(scope, expression->first);
        return VALUE_SCALAR;
    case EXPRESSION_TO_INT:
        sial_check_number(scope, expression->first);
        return VALUE_INT;
    case EXPRESSION_COMPARE:
        return check_operands(scope, expression, check_any_number);
    case EXPRESSION_AND:
    case EXPRESSION_OR:
    case EXPRESSION_NOT:
        return check_operands(scope, expression, sial_check_condition);
    case EXPRESSION_BLOCK:
    case EXPRESSION_STRING: /* an item or argument, never an operand */
        break;
    }
    sial_fail(
        scope->compiler, expression->place,
        "a single block is not a number: expected a product of two blocks, as in a[i,j]*b[i,j]");
}

enum value_type sial_check_number(struct scope *scope, struct expression *expression)
{
    expression->type = check_value(scope, expression);
    if (expression->type == VALUE_CONDITION)
        sial_fail(scope->compiler, expression->place, "expected a number, found a condition");
    return expression->type;
}

void sial_check_condition(struct scope *scope, struct expression *expression)
{
    expression->type = check_value(scope, expression);
    if (expression->type != VALUE_CONDITION)
        sial_fail(scope->compiler, expression->place,
                  "expected a condition, found a number: compare it, as in x > 0");
}

bool sial_is_looped(const struct scope *scope, const char *index)
{
    for (int i = 0; i < scope->loop_count; i++)
        for (int k = 0; k < scope->loops[i]->count; k++)
            if (strcasecmp(scope->loops[i]->indices[k].text, index) == 0)
                return true;
    return false;
}

int sial_check_index(struct scope *scope, struct name name)
{
    int position = sial_find_kind(scope->compiler, name, SYMBOL_INDEX)->position;
    if (scope->in_where && !sial_is_looped(scope, name.text))
        sial_fail(scope->compiler, name.place,
                  "a clause of a pardo reads the pardo's indices and those of loops around it: "
                  "`%s` is none",
                  name.text);
    /* A procedure may use the indices of whoever calls it; that is seen when it runs. */
    if (scope->is_main && !sial_is_looped(scope, name.text))
        sial_fail(scope->compiler, name.place,
                  "`%s` has no value here: no loop around runs over it", name.text);
    return position;
}
