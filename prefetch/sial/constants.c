/* Values that are known when a program is compiled. */
#include <math.h>

#include "prefetch/sial/checker.h"

static struct constant check_range(struct compiler *compiler, const struct expression *expression,
                                   struct constant constant)
{
    if (constant.type == VALUE_INT && fabs(constant.value) > SIAL_INT_MAX)
        sial_fail(compiler, expression->place, "the int %.17g is beyond 2^53", constant.value);
    if (!isfinite(constant.value))
        sial_fail(compiler, expression->place, "this value is not a finite number");
    return constant;
}

static struct constant join(struct compiler *compiler, const struct expression *expression,
                            struct constant left, const struct expression *operand)
{
    struct constant right = sial_evaluate(compiler, operand);
    struct constant result = {VALUE_SCALAR, 0.0};
    if (left.type == VALUE_INT && right.type == VALUE_INT)
        result.type = VALUE_INT;
    if (expression->kind == EXPRESSION_SUM) {
        result.value = operand->inverse ? left.value - right.value : left.value + right.value;
    } else if (!operand->inverse) {
        result.value = left.value * right.value;
    } else {
        if (right.value == 0.0)
            sial_fail(compiler, operand->place, "division by 0");
        result.value = left.value / right.value;
        if (result.type == VALUE_INT)
            result.value = trunc(result.value);
    }
    return check_range(compiler, operand, result);
}

static struct constant evaluate_chain(struct compiler *compiler,
                                      const struct expression *expression)
{
    struct constant constant = sial_evaluate(compiler, expression->first);
    for (const struct expression *operand = expression->first->next; operand;
         operand = operand->next)
        constant = join(compiler, expression, constant, operand);
    return constant;
}

static struct constant evaluate_name(struct compiler *compiler, const struct expression *expression)
{
    const struct symbol *symbol = sial_find(compiler, expression->name);
    if (symbol->kind != SYMBOL_CONSTANT && symbol->kind != SYMBOL_PREDEFINED)
        sial_fail(compiler, expression->place,
                  "expected a constant or a predefined name, but `%s` is %s", expression->name.text,
                  sial_symbol_kind_text(symbol->kind));
    return (struct constant){symbol->type, symbol->value};
}

static struct constant evaluate_function(struct compiler *compiler,
                                         const struct expression *expression)
{
    struct constant constant = sial_evaluate(compiler, expression->first);
    switch (expression->kind) {
    case EXPRESSION_NEGATE:
        constant.value = -constant.value;
        break;
    case EXPRESSION_ABSOLUTE:
        constant.value = fabs(constant.value);
        break;
    case EXPRESSION_SQUARE_ROOT:
        constant = (struct constant){VALUE_SCALAR, sqrt(constant.value)};
        break;
    case EXPRESSION_TO_INT:
        constant = (struct constant){VALUE_INT, trunc(constant.value)};
        break;
    default:
        constant.type = VALUE_SCALAR;
        break;
    }
    return check_range(compiler, expression, constant);
}

struct constant sial_evaluate(struct compiler *compiler, const struct expression *expression)
{
    switch (expression->kind) {
    case EXPRESSION_NUMBER:
        return (struct constant){expression->type, expression->number};
    case EXPRESSION_NAME:
        return evaluate_name(compiler, expression);
    case EXPRESSION_SUM:
    case EXPRESSION_PRODUCT:
        return evaluate_chain(compiler, expression);
    case EXPRESSION_NEGATE:
    case EXPRESSION_SQUARE_ROOT:
    case EXPRESSION_ABSOLUTE:
    case EXPRESSION_TO_INT:
    case EXPRESSION_TO_SCALAR:
        return evaluate_function(compiler, expression);
    default:
        sial_fail(compiler, expression->place,
                  "expected a number that is known when the program is compiled");
    }
}
