/* The generator: the main program, then the procedures, then the conditions of pardos, which run
 * only when a pardo asks. */
#include "prefetch/sial/generator.h"

#include <string.h>

/* How many numbers an operation leaves on the stack beyond those it found. */
static int stack_change(enum sial_operation operation)
{
    switch (operation) {
    case SIAL_PUSH_NUMBER:
    case SIAL_PUSH_SCALAR:
    case SIAL_PUSH_INT:
    case SIAL_PUSH_INDEX:
    case SIAL_PUSH_DOT:
        return 1;
    case SIAL_PLUS:
    case SIAL_MINUS:
    case SIAL_TIMES:
    case SIAL_DIVIDE:
    case SIAL_DIVIDE_INT:
    case SIAL_LESS:
    case SIAL_LESS_EQUAL:
    case SIAL_GREATER:
    case SIAL_GREATER_EQUAL:
    case SIAL_EQUAL:
    case SIAL_NOT_EQUAL:
    case SIAL_AND:
    case SIAL_OR:
    case SIAL_STORE_SCALAR:
    case SIAL_STORE_INT:
    case SIAL_BLOCK_FILL:
    case SIAL_BLOCK_COPY:
    case SIAL_BLOCK_CONTRACT:
    case SIAL_BLOCK_SCALE:
    case SIAL_JUMP_IF_ZERO:
    case SIAL_PRINT_NUMBER:
        return -1;
    case SIAL_BLOCK_SUM:
        return -2;
    default:
        return 0;
    }
}

int sial_emit(struct generator *generator, enum sial_operation operation, struct operands operands)
{
    struct prefetch_program *program = generator->program;
    struct place place = generator->place;
    generator->stack += stack_change(operation);
    if (generator->stack > SIAL_STACK_MAX)
        sial_fail(generator->compiler, place,
                  "an expression of this statement needs more than %d intermediate values: compute "
                  "a part of it before",
                  SIAL_STACK_MAX);
    *sial_add(generator->compiler, program->instructions, program->instruction_count) =
        (struct sial_instruction){.operation = (uint8_t)operation,
                                  .d = (uint8_t)operands.d,
                                  .file = (uint16_t)place.file,
                                  .line = place.line,
                                  .column = place.column,
                                  .a = operands.a,
                                  .b = operands.b,
                                  .c = operands.c};
    return program->instruction_count - 1;
}

int sial_emit_plain(struct generator *generator, enum sial_operation operation)
{
    return sial_emit(generator, operation, (struct operands){0});
}

int sial_add_operand(struct generator *generator, const struct block *block)
{
    struct prefetch_program *program = generator->program;
    struct sial_operand operand = {.array = block->position};
    memcpy(operand.indices, block->index, sizeof operand.indices);
    *sial_add(generator->compiler, program->operands, program->operand_count) = operand;
    return program->operand_count - 1;
}

int sial_add_number(struct generator *generator, double number)
{
    struct prefetch_program *program = generator->program;
    *sial_add(generator->compiler, program->numbers, program->number_count) = number;
    return program->number_count - 1;
}

int sial_add_string(struct generator *generator, const char *string)
{
    struct prefetch_program *program = generator->program;
    char *kept = sial_keep_text(generator->compiler, string, strlen(string));
    *sial_add(generator->compiler, program->strings, program->string_count) = kept;
    return program->string_count - 1;
}

static bool loop_has_index_of(const struct prefetch_program *program, int loop, int operand)
{
    const struct sial_loop *inner = &program->loops[loop];
    const struct sial_operand *block = &program->operands[operand];
    for (int i = 0; i < inner->count; i++)
        for (int k = 0; k < program->arrays[block->array].rank; k++)
            if (inner->indices[i] == block->indices[k])
                return true;
    return false;
}

int sial_add_site(struct generator *generator, int operand)
{
    struct prefetch_program *program = generator->program;
    int innermost = generator->loop_count - 1;
    while (innermost >= 0 && !loop_has_index_of(program, generator->loops[innermost], operand))
        innermost--;
    *sial_add(generator->compiler, program->sites, program->site_count) =
        (struct sial_site){.operand = operand,
                           .loop = innermost >= 0 ? generator->loops[innermost] : -1,
                           .instruction = program->instruction_count};
    return program->site_count - 1;
}

void sial_emit_call(struct generator *generator, const struct statement *statement)
{
    int call = sial_emit_plain(generator, SIAL_CALL);
    struct later *later = sial_take(generator->compiler, sizeof *later);
    *later = (struct later){generator->calls, statement, call};
    generator->calls = later;
}

void sial_note_where(struct generator *generator, int loop, const struct statement *statement)
{
    if (!statement->where)
        return;
    struct later *later = sial_take(generator->compiler, sizeof *later);
    *later = (struct later){generator->wheres, statement, loop};
    generator->wheres = later;
}

static void emit_procedures(struct generator *generator)
{
    struct compiler *compiler = generator->compiler;
    for (struct procedure *procedure = compiler->procedures; procedure;
         procedure = procedure->next) {
        procedure->entry = generator->program->instruction_count;
        sial_emit_statements(generator, procedure->body);
        generator->place = procedure->name.place;
        sial_emit_plain(generator, SIAL_RETURN);
    }
    for (const struct later *call = generator->calls; call; call = call->next)
        generator->program->instructions[call->position].a =
            call->statement->symbol->procedure->entry;
}

static void emit_wheres(struct generator *generator)
{
    struct prefetch_program *program = generator->program;
    for (const struct later *later = generator->wheres; later; later = later->next) {
        program->loops[later->position].where_begin = program->instruction_count;
        const struct expression *where = later->statement->where;
        for (; where; where = where->next) {
            generator->place = where->place;
            sial_emit_expression(generator, where);
            if (where != later->statement->where)
                sial_emit_plain(generator, SIAL_AND);
        }
        program->loops[later->position].where_end = program->instruction_count;
        generator->stack = 0;
    }
}

void sial_generate(struct compiler *compiler)
{
    struct generator generator = {.compiler = compiler, .program = compiler->program};
    struct procedure *main = compiler->main;
    sial_emit_statements(&generator, main->body);
    generator.place = main->name.place;
    sial_emit_plain(&generator, SIAL_HALT);
    emit_procedures(&generator);
    emit_wheres(&generator);
}
