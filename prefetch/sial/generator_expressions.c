#include "prefetch/sial/generator.h"

static void push_number(struct generator *generator, double number)
{
    sial_emit(generator, SIAL_PUSH_NUMBER,
              (struct operands){.a = sial_add_number(generator, number)});
}

static void emit_name(struct generator *generator, const struct symbol *symbol)
{
    switch (symbol->kind) {
    case SYMBOL_INDEX:
        sial_emit(generator, SIAL_PUSH_INDEX, (struct operands){.a = symbol->position});
        break;
    case SYMBOL_INT:
        sial_emit(generator, SIAL_PUSH_INT, (struct operands){.a = symbol->position});
        break;
    case SYMBOL_SCALAR:
        sial_emit(generator, SIAL_PUSH_SCALAR, (struct operands){.a = symbol->position});
        break;
    default: /* the checker lets only constants and predefined names through */
        push_number(generator, symbol->value);
        break;
    }
}

/* A product from left to right: whether a division is one of ints depends on the value so far. */
struct product {
    bool pushed, is_int;
};

static void join_factor(struct generator *generator, struct product *product,
                        const struct expression *factor)
{
    bool is_int = factor->type == VALUE_INT && factor->blocks == 0;
    bool both = product->is_int && is_int;
    if (product->pushed)
        sial_emit_plain(generator, !factor->inverse ? SIAL_TIMES
                                   : both           ? SIAL_DIVIDE_INT
                                                    : SIAL_DIVIDE);
    product->is_int = both;
    product->pushed = true;
}

static void emit_product(struct generator *generator, const struct expression *expression)
{
    struct product product = {.is_int = true};
    for (const struct expression *factor = expression->first; factor; factor = factor->next) {
        const struct expression *left = factor;
        if (factor->kind == EXPRESSION_BLOCK) {
            int one = sial_add_operand(generator, factor->block);
            int other = sial_add_operand(generator, factor->next->block);
            sial_emit(generator, SIAL_PUSH_DOT, (struct operands){.a = one, .b = other});
            factor = factor->next;
        } else {
            sial_emit_expression(generator, factor);
        }
        join_factor(generator, &product, left);
    }
}

static void emit_factors(struct generator *generator, const struct expression *expression)
{
    struct product product = {.is_int = true};
    for (const struct expression *factor = expression->first; factor; factor = factor->next) {
        if (factor->kind == EXPRESSION_BLOCK) {
            product.is_int = false; /* what follows divides numbers of the block */
            continue;
        }
        if (!product.pushed && factor->inverse) {
            push_number(generator, 1.0);
            product.pushed = true;
        }
        if (factor->blocks > 0)
            sial_emit_factor_of_blocks(generator, factor);
        else
            sial_emit_expression(generator, factor);
        join_factor(generator, &product, factor);
    }
    if (!product.pushed)
        push_number(generator, 1.0);
}

void sial_emit_factor_of_blocks(struct generator *generator, const struct expression *expression)
{
    if (expression->kind == EXPRESSION_PRODUCT) {
        emit_factors(generator, expression);
    } else if (expression->kind == EXPRESSION_NEGATE) {
        sial_emit_factor_of_blocks(generator, expression->first);
        sial_emit_plain(generator, SIAL_NEGATE);
    } else {
        push_number(generator, 1.0); /* a block alone */
    }
}

static void emit_sum(struct generator *generator, const struct expression *expression)
{
    sial_emit_expression(generator, expression->first);
    for (const struct expression *term = expression->first->next; term; term = term->next) {
        sial_emit_expression(generator, term);
        sial_emit_plain(generator, term->inverse ? SIAL_MINUS : SIAL_PLUS);
    }
}

/* The operands, each joined to those before it. */
static void emit_joined(struct generator *generator, const struct expression *expression,
                        enum sial_operation operation)
{
    sial_emit_expression(generator, expression->first);
    for (const struct expression *operand = expression->first->next; operand;
         operand = operand->next) {
        sial_emit_expression(generator, operand);
        sial_emit_plain(generator, operation);
    }
}

static void emit_function(struct generator *generator, const struct expression *expression,
                          enum sial_operation operation)
{
    sial_emit_expression(generator, expression->first);
    sial_emit_plain(generator, operation);
}

void sial_emit_expression(struct generator *generator, const struct expression *expression)
{
    switch (expression->kind) {
    case EXPRESSION_NUMBER:
        push_number(generator, expression->number);
        break;
    case EXPRESSION_NAME:
        emit_name(generator, expression->symbol);
        break;
    case EXPRESSION_SUM:
        emit_sum(generator, expression);
        break;
    case EXPRESSION_PRODUCT:
        emit_product(generator, expression);
        break;
    case EXPRESSION_NEGATE:
        emit_function(generator, expression, SIAL_NEGATE);
        break;
    case EXPRESSION_SQUARE_ROOT:
        emit_function(generator, expression, SIAL_SQUARE_ROOT);
        break;
    case EXPRESSION_ABSOLUTE:
        emit_function(generator, expression, SIAL_ABSOLUTE);
        break;
    case EXPRESSION_TO_INT:
        emit_function(generator, expression, SIAL_TRUNCATE);
        break;
    case EXPRESSION_TO_SCALAR:
        sial_emit_expression(generator, expression->first);
        break;
    case EXPRESSION_COMPARE:
        emit_joined(generator, expression, expression->comparison);
        break;
    case EXPRESSION_AND:
        emit_joined(generator, expression, SIAL_AND);
        break;
    case EXPRESSION_OR:
        emit_joined(generator, expression, SIAL_OR);
        break;
    case EXPRESSION_NOT:
        emit_function(generator, expression, SIAL_NOT);
        break;
    case EXPRESSION_BLOCK:  /* a factor of a product, emitted with it */
    case EXPRESSION_STRING: /* an item or argument, no number */
        break;
    }
}
