/* prefetch_sial_verify.h: whether bytecode can be executed: every position is in its table, every
 * value is pushed before it is taken, every jump ends on an instruction. For tests and for the fuzz
 * driver. */
#ifndef TESTS_UNIT_PREFETCH_SIAL_VERIFY_H
#define TESTS_UNIT_PREFETCH_SIAL_VERIFY_H

#include <math.h>
#include <string.h>

#include "prefetch/sial/sial.h"

/* What the fields a, b, c of an operation are: o operand, n number, s scalar, i int, x index, t
 * string, r array, l loop, j instruction, e execute, y site, b 0 or 1, - nothing. */
static const struct verify_rule {
    enum sial_operation operation;
    int takes, leaves;
    const char *fields;
} verify_rules[] = {{SIAL_HALT, 0, 0, "---"},
                    {SIAL_PUSH_NUMBER, 0, 1, "n--"},
                    {SIAL_PUSH_SCALAR, 0, 1, "s--"},
                    {SIAL_PUSH_INT, 0, 1, "i--"},
                    {SIAL_PUSH_INDEX, 0, 1, "x--"},
                    {SIAL_PUSH_DOT, 0, 1, "oo-"},
                    {SIAL_PLUS, 2, 1, "---"},
                    {SIAL_MINUS, 2, 1, "---"},
                    {SIAL_TIMES, 2, 1, "---"},
                    {SIAL_DIVIDE, 2, 1, "---"},
                    {SIAL_DIVIDE_INT, 2, 1, "---"},
                    {SIAL_NEGATE, 1, 1, "---"},
                    {SIAL_SQUARE_ROOT, 1, 1, "---"},
                    {SIAL_ABSOLUTE, 1, 1, "---"},
                    {SIAL_TRUNCATE, 1, 1, "---"},
                    {SIAL_LESS, 2, 1, "---"},
                    {SIAL_LESS_EQUAL, 2, 1, "---"},
                    {SIAL_GREATER, 2, 1, "---"},
                    {SIAL_GREATER_EQUAL, 2, 1, "---"},
                    {SIAL_EQUAL, 2, 1, "---"},
                    {SIAL_NOT_EQUAL, 2, 1, "---"},
                    {SIAL_AND, 2, 1, "---"},
                    {SIAL_OR, 2, 1, "---"},
                    {SIAL_NOT, 1, 1, "---"},
                    {SIAL_STORE_SCALAR, 1, 0, "s--"},
                    {SIAL_STORE_INT, 1, 0, "i--"},
                    {SIAL_COLLECTIVE, 0, 0, "ss-"},
                    {SIAL_BLOCK_FILL, 1, 0, "o--"},
                    {SIAL_BLOCK_COPY, 1, 0, "oo-"},
                    {SIAL_BLOCK_SUM, 2, 0, "ooo"},
                    {SIAL_BLOCK_CONTRACT, 1, 0, "ooo"},
                    {SIAL_BLOCK_SCALE, 1, 0, "o--"},
                    {SIAL_ALLOCATE, 0, 0, "o--"},
                    {SIAL_DEALLOCATE, 0, 0, "o--"},
                    {SIAL_CREATE, 0, 0, "r--"},
                    {SIAL_DELETE, 0, 0, "r--"},
                    {SIAL_GET, 0, 0, "oy-"},
                    {SIAL_PUT, 0, 0, "oo-"},
                    {SIAL_LOOP_BEGIN, 0, 0, "l--"},
                    {SIAL_LOOP_END, 0, 0, "l--"},
                    {SIAL_LOOP_EXIT, 0, 0, "l--"},
                    {SIAL_JUMP, 0, 0, "j--"},
                    {SIAL_JUMP_IF_ZERO, 1, 0, "j--"},
                    {SIAL_CALL, 0, 0, "j--"},
                    {SIAL_RETURN, 0, 0, "---"},
                    {SIAL_EXECUTE, 0, 0, "e--"},
                    {SIAL_PRINT_STRING, 0, 0, "t--"},
                    {SIAL_PRINT_NUMBER, 1, 0, "b--"},
                    {SIAL_PRINT_END, 0, 0, "---"},
                    {SIAL_SIP_BARRIER, 0, 0, "---"},
                    {SIAL_SERVER_BARRIER, 0, 0, "---"},
                    {SIAL_GPU_ON, 0, 0, "---"},
                    {SIAL_GPU_OFF, 0, 0, "---"}};
_Static_assert(sizeof verify_rules / sizeof *verify_rules == SIAL_OPERATIONS, "one rule each");

static inline const struct verify_rule *verify_rule_of(int operation)
{
    for (int i = 0; i < SIAL_OPERATIONS; i++)
        if ((int)verify_rules[i].operation == operation)
            return &verify_rules[i];
    return NULL;
}

static inline int verify_table_size(const struct prefetch_program *program, char field)
{
    switch (field) {
    case 'o':
        return program->operand_count;
    case 'n':
        return program->number_count;
    case 's':
        return program->scalar_count;
    case 'i':
        return program->int_count;
    case 'x':
        return program->index_count;
    case 't':
        return program->string_count;
    case 'r':
        return program->array_count;
    case 'l':
        return program->loop_count;
    case 'j':
        return program->instruction_count;
    case 'e':
        return program->execute_count;
    case 'y':
        return program->site_count;
    default:
        return field == 'b' ? 2 : 1;
    }
}

static inline bool verify_fields(const struct prefetch_program *program,
                                 const struct sial_instruction *at, const struct verify_rule *rule)
{
    int fields[3] = {at->a, at->b, at->c};
    for (int k = 0; k < 3; k++)
        if (fields[k] < 0 || fields[k] >= verify_table_size(program, rule->fields[k]))
            return false;
    return at->d <= SIAL_SUBTRACT && at->file < program->file_count && at->line >= 1 &&
           (size_t)at->line <= program->files[at->file].lines && at->column >= 1;
}

/* Numbers on the stack after the instructions from begin to before end; -1: one of them is wrong.
 * Jumps are taken only with an empty stack, so reading them in their order is enough. */
static inline int verify_range(const struct prefetch_program *program, int begin, int end)
{
    int stack = 0;
    for (int i = begin; i < end; i++) {
        const struct sial_instruction *at = &program->instructions[i];
        const struct verify_rule *rule = verify_rule_of(at->operation);
        if (!rule || !sial_operation_name(at->operation) || !verify_fields(program, at, rule) ||
            stack < rule->takes)
            return -1;
        stack += rule->leaves - rule->takes;
        if (stack > SIAL_STACK_MAX || (rule->leaves == 0 && stack != 0))
            return -1;
    }
    return stack;
}

/* The conditions of pardos stand behind everything else, and each leaves one number. */
static inline bool verify_instructions(const struct prefetch_program *program)
{
    int end = program->instruction_count;
    for (int i = 0; i < program->loop_count; i++) {
        const struct sial_loop *loop = &program->loops[i];
        if (loop->where_begin == loop->where_end)
            continue;
        if (verify_range(program, loop->where_begin, loop->where_end) != 1)
            return false;
        end = loop->where_begin < end ? loop->where_begin : end;
    }
    return verify_range(program, 0, end) == 0;
}

static inline bool verify_operands(const struct prefetch_program *program)
{
    for (int i = 0; i < program->operand_count; i++) {
        const struct sial_operand *operand = &program->operands[i];
        if (operand->array < 0 || operand->array >= program->array_count)
            return false;
        const struct sial_array *array = &program->arrays[operand->array];
        for (int k = 0; k < array->rank; k++)
            if (operand->indices[k] < -1 || operand->indices[k] >= program->index_count ||
                (operand->indices[k] >= 0 && program->indices[operand->indices[k]].kind !=
                                                 program->indices[array->indices[k]].kind))
                return false;
    }
    return true;
}

/* Loops begin, end and stop where they say. */
static inline bool verify_loops(const struct prefetch_program *program)
{
    for (int i = 0; i < program->loop_count; i++) {
        const struct sial_loop *loop = &program->loops[i];
        if (loop->count < 1 || loop->count > SIAL_RANK_MAX || loop->end < 2 ||
            loop->end >= program->instruction_count || loop->where_begin < 0 ||
            loop->where_begin > loop->where_end || loop->where_end > program->instruction_count ||
            loop->nonzero < -1 || loop->nonzero >= program->operand_count)
            return false;
        const struct sial_instruction *last = &program->instructions[loop->end - 1];
        if (last->operation != SIAL_LOOP_END || last->a != i)
            return false;
    }
    for (int i = 0; i < program->site_count; i++) {
        const struct sial_site *site = &program->sites[i];
        if (site->loop < -1 || site->loop >= program->loop_count ||
            program->instructions[site->instruction].operation != SIAL_GET ||
            program->instructions[site->instruction].b != i)
            return false;
    }
    return true;
}

static inline bool verify_executes(const struct prefetch_program *program)
{
    static const char tables[] = {
        [PREFETCH_ARGUMENT_BLOCK] = 'o',  [PREFETCH_ARGUMENT_SCALAR] = 's',
        [PREFETCH_ARGUMENT_NUMBER] = 'n', [PREFETCH_ARGUMENT_INT] = 'i',
        [PREFETCH_ARGUMENT_INDEX] = 'x',  [PREFETCH_ARGUMENT_STRING] = 't'};
    for (int i = 0; i < program->execute_count; i++) {
        const struct sial_execute *execute = &program->executes[i];
        if (execute->special < 0 || execute->special >= program->special_count ||
            (size_t)execute->count != strlen(program->specials[execute->special].signature))
            return false;
        for (int k = 0; k < execute->count; k++)
            if (execute->arguments[k].position < 0 ||
                execute->arguments[k].position >=
                    verify_table_size(program, tables[execute->arguments[k].kind]))
                return false;
    }
    for (int i = 0; i < program->number_count; i++)
        if (!isfinite(program->numbers[i]))
            return false;
    return true;
}

static inline bool verify_program(const struct prefetch_program *program)
{
    return program->name && verify_loops(program) && verify_instructions(program) &&
           verify_operands(program) && verify_executes(program);
}

#endif
