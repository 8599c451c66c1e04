/* Statements on blocks. */
#include "prefetch/sial/generator.h"

void sial_emit_transfer(struct generator *generator, const struct statement *statement)
{
    int target = sial_add_operand(generator, statement->target);
    switch (statement->kind) {
    case STATEMENT_ALLOCATE:
        sial_emit(generator, SIAL_ALLOCATE, (struct operands){.a = target});
        break;
    case STATEMENT_DEALLOCATE:
        sial_emit(generator, SIAL_DEALLOCATE, (struct operands){.a = target});
        break;
    case STATEMENT_PUT:
    case STATEMENT_PREPARE: {
        int source = sial_add_operand(generator, statement->from);
        enum sial_mode mode = statement->assignment == ASSIGN_ADD ? SIAL_ADD : SIAL_SET;
        sial_emit(generator, SIAL_PUT, (struct operands){.a = target, .b = source, .d = mode});
        break;
    }
    default: { /* get and request */
        int site = sial_add_site(generator, target);
        sial_emit(generator, SIAL_GET, (struct operands){.a = target, .b = site});
        break;
    }
    }
}

static void emit_scale(struct generator *generator, const struct term *term)
{
    sial_emit_factor_of_blocks(generator, term->expression);
    if (term->negative)
        sial_emit_plain(generator, SIAL_NEGATE);
}

static void emit_terms(struct generator *generator, const struct statement *statement, int target,
                       enum sial_mode mode)
{
    const struct term *terms = statement->terms;
    struct operands operands = {.a = target, .d = mode};
    emit_scale(generator, &terms[0]);
    if (statement->term_count == 2)
        emit_scale(generator, &terms[1]);
    operands.b = sial_add_operand(generator, terms[0].blocks[0]);
    if (statement->term_count == 2) {
        operands.c = sial_add_operand(generator, terms[1].blocks[0]);
        sial_emit(generator, SIAL_BLOCK_SUM, operands);
    } else if (terms[0].count == 2) {
        operands.c = sial_add_operand(generator, terms[0].blocks[1]);
        sial_emit(generator, SIAL_BLOCK_CONTRACT, operands);
    } else {
        sial_emit(generator, SIAL_BLOCK_COPY, operands);
    }
}

void sial_emit_block_statement(struct generator *generator, const struct statement *statement)
{
    static const enum sial_mode modes[] = {
        [ASSIGN_SET] = SIAL_SET, [ASSIGN_ADD] = SIAL_ADD, [ASSIGN_SUBTRACT] = SIAL_SUBTRACT};
    int target = sial_add_operand(generator, statement->target);
    if (statement->assignment == ASSIGN_MULTIPLY) {
        sial_emit_expression(generator, statement->value);
        sial_emit(generator, SIAL_BLOCK_SCALE, (struct operands){.a = target});
    } else if (statement->term_count == 0) {
        sial_emit_expression(generator, statement->value);
        sial_emit(generator, SIAL_BLOCK_FILL,
                  (struct operands){.a = target, .d = modes[statement->assignment]});
    } else {
        emit_terms(generator, statement, target, modes[statement->assignment]);
    }
}

static struct sial_argument argument_of(struct generator *generator,
                                        const struct expression *argument)
{
    const struct symbol *symbol = argument->symbol;
    if (argument->kind == EXPRESSION_BLOCK)
        return (struct sial_argument){PREFETCH_ARGUMENT_BLOCK,
                                      sial_add_operand(generator, argument->block)};
    if (argument->kind == EXPRESSION_STRING)
        return (struct sial_argument){PREFETCH_ARGUMENT_STRING,
                                      sial_add_string(generator, argument->string)};
    if (argument->kind == EXPRESSION_NUMBER)
        return (struct sial_argument){PREFETCH_ARGUMENT_NUMBER,
                                      sial_add_number(generator, argument->number)};
    if (symbol->kind == SYMBOL_SCALAR)
        return (struct sial_argument){PREFETCH_ARGUMENT_SCALAR, symbol->position};
    if (symbol->kind == SYMBOL_INT)
        return (struct sial_argument){PREFETCH_ARGUMENT_INT, symbol->position};
    if (symbol->kind == SYMBOL_INDEX)
        return (struct sial_argument){PREFETCH_ARGUMENT_INDEX, symbol->position};
    return (struct sial_argument){PREFETCH_ARGUMENT_NUMBER,
                                  sial_add_number(generator, symbol->value)};
}

void sial_emit_execute(struct generator *generator, const struct statement *statement)
{
    struct prefetch_program *program = generator->program;
    struct sial_execute execute = {.special = statement->symbol->position};
    for (const struct expression *argument = statement->value; argument; argument = argument->next)
        execute.arguments[execute.count++] = argument_of(generator, argument);
    int position = program->execute_count;
    *sial_add(generator->compiler, program->executes, program->execute_count) = execute;
    sial_emit(generator, SIAL_EXECUTE, (struct operands){.a = position});
}
