#include "prefetch/sial/generator.h"

static void emit_assignment(struct generator *generator, const struct statement *statement)
{
    bool is_int = statement->symbol->kind == SYMBOL_INT, times = false;
    struct operands operands = {.a = statement->symbol->position, .d = SIAL_SET};
    if (statement->assignment == ASSIGN_MULTIPLY) {
        times = true;
        sial_emit(generator, is_int ? SIAL_PUSH_INT : SIAL_PUSH_SCALAR, operands);
    } else if (statement->assignment != ASSIGN_SET) {
        operands.d = statement->assignment == ASSIGN_ADD ? SIAL_ADD : SIAL_SUBTRACT;
    }
    sial_emit_expression(generator, statement->value);
    if (times)
        sial_emit_plain(generator, SIAL_TIMES);
    sial_emit(generator, is_int ? SIAL_STORE_INT : SIAL_STORE_SCALAR, operands);
}

static void emit_print(struct generator *generator, const struct statement *statement)
{
    for (const struct expression *item = statement->value; item; item = item->next) {
        if (item->kind == EXPRESSION_STRING) {
            int string = sial_add_string(generator, item->string);
            sial_emit(generator, SIAL_PRINT_STRING, (struct operands){.a = string});
        } else {
            sial_emit_expression(generator, item);
            sial_emit(generator, SIAL_PRINT_NUMBER,
                      (struct operands){.a = item->type == VALUE_INT});
        }
    }
    sial_emit_plain(generator, SIAL_PRINT_END);
}

static void set_target(struct generator *generator, int instruction)
{
    generator->program->instructions[instruction].a = generator->program->instruction_count;
}

static void emit_if(struct generator *generator, const struct statement *statement)
{
    sial_emit_expression(generator, statement->value);
    int to_else = sial_emit_plain(generator, SIAL_JUMP_IF_ZERO);
    sial_emit_statements(generator, statement->body);
    if (statement->otherwise) {
        int to_end = sial_emit_plain(generator, SIAL_JUMP);
        set_target(generator, to_else);
        sial_emit_statements(generator, statement->otherwise);
        to_else = to_end;
    }
    set_target(generator, to_else);
}

static void emit_loop(struct generator *generator, const struct statement *statement)
{
    struct prefetch_program *program = generator->program;
    struct sial_loop loop = {
        .parallel = statement->kind == STATEMENT_PARDO, .count = statement->count, .nonzero = -1};
    for (int i = 0; i < loop.count; i++)
        loop.indices[i] = statement->index[i];
    if (statement->nonzero)
        loop.nonzero = sial_add_operand(generator, statement->nonzero);
    int position = program->loop_count;
    *sial_add(generator->compiler, program->loops, program->loop_count) = loop;
    sial_note_where(generator, position, statement);
    sial_emit(generator, SIAL_LOOP_BEGIN, (struct operands){.a = position});
    generator->loops[generator->loop_count++] = position;
    sial_emit_statements(generator, statement->body);
    generator->loop_count--;
    generator->place = statement->place;
    sial_emit(generator, SIAL_LOOP_END, (struct operands){.a = position});
    program->loops[position].end = program->instruction_count;
}

static void emit_exit(struct generator *generator, const struct statement *statement)
{
    (void)statement;
    sial_emit(generator, SIAL_LOOP_EXIT,
              (struct operands){.a = generator->loops[generator->loop_count - 1]});
}

static void emit_array_statement(struct generator *generator, const struct statement *statement)
{
    sial_emit(generator, statement->kind == STATEMENT_CREATE ? SIAL_CREATE : SIAL_DELETE,
              (struct operands){.a = statement->symbol->position});
}

static void emit_collective(struct generator *generator, const struct statement *statement)
{
    sial_emit(generator, SIAL_COLLECTIVE,
              (struct operands){.a = statement->symbol->position,
                                .b = statement->source_symbol->position});
}

static void emit_word(struct generator *generator, const struct statement *statement)
{
    static const enum sial_operation operations[] = {
        [STATEMENT_RETURN] = SIAL_RETURN,
        [STATEMENT_SIP_BARRIER] = SIAL_SIP_BARRIER,
        [STATEMENT_SERVER_BARRIER] = SIAL_SERVER_BARRIER,
        [STATEMENT_GPU_ON] = SIAL_GPU_ON,
        [STATEMENT_GPU_OFF] = SIAL_GPU_OFF,
    };
    sial_emit_plain(generator, operations[statement->kind]);
}

void sial_emit_statements(struct generator *generator, const struct statement *statements)
{
    static void (*const emitters[])(struct generator *, const struct statement *) = {
        [STATEMENT_DO] = emit_loop,
        [STATEMENT_PARDO] = emit_loop,
        [STATEMENT_EXIT] = emit_exit,
        [STATEMENT_IF] = emit_if,
        [STATEMENT_CALL] = sial_emit_call,
        [STATEMENT_RETURN] = emit_word,
        [STATEMENT_ALLOCATE] = sial_emit_transfer,
        [STATEMENT_DEALLOCATE] = sial_emit_transfer,
        [STATEMENT_CREATE] = emit_array_statement,
        [STATEMENT_DELETE] = emit_array_statement,
        [STATEMENT_GET] = sial_emit_transfer,
        [STATEMENT_REQUEST] = sial_emit_transfer,
        [STATEMENT_PUT] = sial_emit_transfer,
        [STATEMENT_PREPARE] = sial_emit_transfer,
        [STATEMENT_ASSIGN] = emit_assignment,
        [STATEMENT_ASSIGN_BLOCK] = sial_emit_block_statement,
        [STATEMENT_COLLECTIVE] = emit_collective,
        [STATEMENT_EXECUTE] = sial_emit_execute,
        [STATEMENT_PRINT] = emit_print,
        [STATEMENT_SIP_BARRIER] = emit_word,
        [STATEMENT_SERVER_BARRIER] = emit_word,
        [STATEMENT_GPU_ON] = emit_word,
        [STATEMENT_GPU_OFF] = emit_word,
    };
    for (const struct statement *statement = statements; statement; statement = statement->next) {
        generator->place = statement->place;
        emitters[statement->kind](generator, statement);
    }
}
