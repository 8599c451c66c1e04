#include <string.h>

#include "prefetch/sial/checker.h"

/* How an instruction's fields are shown. */
enum layout {
    PLAIN,
    NUMBER,
    SCALAR,
    INT,
    INDEX,
    STRING,
    ARRAY,
    LOOP,
    TARGET,
    SITE,
    EXECUTE,
    SCALARS,
    TYPE,
    BLOCK_1,
    BLOCK_2,
    BLOCK_3
};

static const struct {
    const char *name;
    enum layout layout;
    bool has_mode;
} operations[SIAL_OPERATIONS] = {
    [SIAL_HALT] = {"halt", PLAIN, false},
    [SIAL_PUSH_NUMBER] = {"push_number", NUMBER, false},
    [SIAL_PUSH_SCALAR] = {"push_scalar", SCALAR, false},
    [SIAL_PUSH_INT] = {"push_int", INT, false},
    [SIAL_PUSH_INDEX] = {"push_index", INDEX, false},
    [SIAL_PUSH_DOT] = {"push_dot", BLOCK_2, false},
    [SIAL_PLUS] = {"plus", PLAIN, false},
    [SIAL_MINUS] = {"minus", PLAIN, false},
    [SIAL_TIMES] = {"times", PLAIN, false},
    [SIAL_DIVIDE] = {"divide", PLAIN, false},
    [SIAL_DIVIDE_INT] = {"divide_int", PLAIN, false},
    [SIAL_NEGATE] = {"negate", PLAIN, false},
    [SIAL_SQUARE_ROOT] = {"square_root", PLAIN, false},
    [SIAL_ABSOLUTE] = {"absolute", PLAIN, false},
    [SIAL_TRUNCATE] = {"truncate", PLAIN, false},
    [SIAL_LESS] = {"less", PLAIN, false},
    [SIAL_LESS_EQUAL] = {"less_equal", PLAIN, false},
    [SIAL_GREATER] = {"greater", PLAIN, false},
    [SIAL_GREATER_EQUAL] = {"greater_equal", PLAIN, false},
    [SIAL_EQUAL] = {"equal", PLAIN, false},
    [SIAL_NOT_EQUAL] = {"not_equal", PLAIN, false},
    [SIAL_AND] = {"and", PLAIN, false},
    [SIAL_OR] = {"or", PLAIN, false},
    [SIAL_NOT] = {"not", PLAIN, false},
    [SIAL_STORE_SCALAR] = {"store_scalar", SCALAR, true},
    [SIAL_STORE_INT] = {"store_int", INT, true},
    [SIAL_COLLECTIVE] = {"collective", SCALARS, false},
    [SIAL_BLOCK_FILL] = {"block_fill", BLOCK_1, true},
    [SIAL_BLOCK_COPY] = {"block_copy", BLOCK_2, true},
    [SIAL_BLOCK_SUM] = {"block_sum", BLOCK_3, true},
    [SIAL_BLOCK_CONTRACT] = {"block_contract", BLOCK_3, true},
    [SIAL_BLOCK_SCALE] = {"block_scale", BLOCK_1, false},
    [SIAL_ALLOCATE] = {"allocate", BLOCK_1, false},
    [SIAL_DEALLOCATE] = {"deallocate", BLOCK_1, false},
    [SIAL_CREATE] = {"create", ARRAY, false},
    [SIAL_DELETE] = {"delete", ARRAY, false},
    [SIAL_GET] = {"get", SITE, false},
    [SIAL_PUT] = {"put", BLOCK_2, true},
    [SIAL_LOOP_BEGIN] = {"loop_begin", LOOP, false},
    [SIAL_LOOP_END] = {"loop_end", LOOP, false},
    [SIAL_LOOP_EXIT] = {"loop_exit", LOOP, false},
    [SIAL_JUMP] = {"jump", TARGET, false},
    [SIAL_JUMP_IF_ZERO] = {"jump_if_zero", TARGET, false},
    [SIAL_CALL] = {"call", TARGET, false},
    [SIAL_RETURN] = {"return", PLAIN, false},
    [SIAL_EXECUTE] = {"execute", EXECUTE, false},
    [SIAL_PRINT_STRING] = {"print_string", STRING, false},
    [SIAL_PRINT_NUMBER] = {"print_number", TYPE, false},
    [SIAL_PRINT_END] = {"print_end", PLAIN, false},
    [SIAL_SIP_BARRIER] = {"sip_barrier", PLAIN, false},
    [SIAL_SERVER_BARRIER] = {"server_barrier", PLAIN, false},
    [SIAL_GPU_ON] = {"gpu_on", PLAIN, false},
    [SIAL_GPU_OFF] = {"gpu_off", PLAIN, false},
};

const char *sial_operation_name(enum sial_operation operation)
{
    return operations[operation].name;
}

static void print_operand(const struct prefetch_program *program, int operand, FILE *file)
{
    char text[SIAL_DESCRIPTION_BYTES];
    sial_describe_operand(program, operand, text, sizeof text);
    fprintf(file, " %s", text);
}

static void print_argument(const struct prefetch_program *program,
                           const struct sial_argument *argument, FILE *file)
{
    int position = argument->position;
    switch (argument->kind) {
    case PREFETCH_ARGUMENT_BLOCK:
        print_operand(program, position, file);
        break;
    case PREFETCH_ARGUMENT_SCALAR:
        fprintf(file, " %s", program->scalars[position].name);
        break;
    case PREFETCH_ARGUMENT_NUMBER:
        fprintf(file, " %.17g", program->numbers[position]);
        break;
    case PREFETCH_ARGUMENT_INT:
        fprintf(file, " %s", program->ints[position].name);
        break;
    case PREFETCH_ARGUMENT_INDEX:
        fprintf(file, " %s", program->indices[position].name);
        break;
    case PREFETCH_ARGUMENT_STRING:
        fprintf(file, " \"%s\"", program->strings[position]);
        break;
    }
}

static void print_execute(const struct prefetch_program *program, int position, FILE *file)
{
    const struct sial_execute *execute = &program->executes[position];
    fprintf(file, " %s", program->specials[execute->special].name);
    for (int i = 0; i < execute->count; i++)
        print_argument(program, &execute->arguments[i], file);
}

static void print_loop_name(const struct prefetch_program *program, int position, FILE *file)
{
    const struct sial_loop *loop = &program->loops[position];
    fprintf(file, " %d:%s", position, loop->parallel ? "pardo" : "do");
    for (int i = 0; i < loop->count; i++)
        fprintf(file, "%s%s", i ? "," : " ", program->indices[loop->indices[i]].name);
}

static void print_fields(const struct prefetch_program *program,
                         const struct sial_instruction *instruction, FILE *file)
{
    int a = instruction->a;
    switch (operations[instruction->operation].layout) {
    case PLAIN:
        break;
    case NUMBER:
        fprintf(file, " %.17g", program->numbers[a]);
        break;
    case SCALAR:
        fprintf(file, " %s", program->scalars[a].name);
        break;
    case INT:
        fprintf(file, " %s", program->ints[a].name);
        break;
    case INDEX:
        fprintf(file, " %s", program->indices[a].name);
        break;
    case STRING:
        fprintf(file, " \"%s\"", program->strings[a]);
        break;
    case ARRAY:
        fprintf(file, " %s", program->arrays[a].name);
        break;
    case LOOP:
        print_loop_name(program, a, file);
        break;
    case TARGET:
        fprintf(file, " %d", a);
        break;
    case SITE:
        print_operand(program, a, file);
        fprintf(file, " site %d", instruction->b);
        break;
    case EXECUTE:
        print_execute(program, a, file);
        break;
    case SCALARS:
        fprintf(file, " %s += %s", program->scalars[a].name, program->scalars[instruction->b].name);
        break;
    case TYPE:
        fprintf(file, " %s", a ? "int" : "scalar");
        break;
    case BLOCK_3:
    case BLOCK_2:
    case BLOCK_1:
        print_operand(program, a, file);
        break;
    }
    if (operations[instruction->operation].has_mode)
        fprintf(file, " %s", (const char *[]){"=", "+=", "-="}[instruction->d]);
    if (operations[instruction->operation].layout >= BLOCK_2)
        print_operand(program, instruction->b, file);
    if (operations[instruction->operation].layout >= BLOCK_3)
        print_operand(program, instruction->c, file);
}

static void print_declarations(const struct prefetch_program *program, FILE *file)
{
    fprintf(file, "program %s\n", program->name);
    for (int i = 0; i < program->file_count; i++)
        fprintf(file, "file %d: %s, %zu lines\n", i, program->files[i].name,
                program->files[i].lines);
    for (int i = 0; i < SIAL_INDEX_KINDS; i++)
        if (program->segment[i])
            fprintf(file, "segment %s = %d\n", sial_index_kind_name((enum sial_index_kind)i),
                    program->segment[i]);
    for (int i = 0; i < program->index_count; i++)
        fprintf(file, "%s %s = %d:%d\n", sial_index_kind_name(program->indices[i].kind),
                program->indices[i].name, program->indices[i].low, program->indices[i].high);
    for (int i = 0; i < program->scalar_count; i++)
        fprintf(file, "scalar %s = %.17g\n", program->scalars[i].name, program->scalars[i].initial);
    for (int i = 0; i < program->int_count; i++)
        fprintf(file, "int %s = %lld\n", program->ints[i].name,
                (long long)program->ints[i].initial);
    for (int i = 0; i < program->special_count; i++)
        fprintf(file, "special %s %s\n", program->specials[i].name, program->specials[i].signature);
}

static void print_arrays(const struct prefetch_program *program, FILE *file)
{
    for (int i = 0; i < program->array_count; i++) {
        const struct sial_array *array = &program->arrays[i];
        fprintf(file, "%s %s[", sial_array_kind_name(array->kind), array->name);
        for (int k = 0; k < array->rank; k++)
            fprintf(file, "%s%s", k ? "," : "", program->indices[array->indices[k]].name);
        fprintf(file, "], %lld blocks%s\n", (long long)sial_block_count(program, i),
                array->created ? ", created" : "");
    }
}

static void print_loops(const struct prefetch_program *program, FILE *file)
{
    for (int i = 0; i < program->loop_count; i++) {
        const struct sial_loop *loop = &program->loops[i];
        fprintf(file, "loop");
        print_loop_name(program, i, file);
        fprintf(file, ", end %d", loop->end);
        if (loop->where_end > loop->where_begin)
            fprintf(file, ", where %d to %d", loop->where_begin, loop->where_end - 1);
        if (loop->nonzero >= 0) {
            fprintf(file, ", nonzero");
            print_operand(program, loop->nonzero, file);
        }
        putc('\n', file);
    }
    for (int i = 0; i < program->site_count; i++) {
        fprintf(file, "site %d:", i);
        print_operand(program, program->sites[i].operand, file);
        if (program->sites[i].loop >= 0)
            fprintf(file, ", loop %d\n", program->sites[i].loop);
        else
            fprintf(file, ", no loop\n");
    }
}

void prefetch_disassemble(const struct prefetch_program *program, FILE *file)
{
    print_declarations(program, file);
    print_arrays(program, file);
    print_loops(program, file);
    for (int i = 0; i < program->instruction_count; i++) {
        const struct sial_instruction *instruction = &program->instructions[i];
        fprintf(file, "%5d  %d:%-5d %s", i, instruction->file, instruction->line,
                operations[instruction->operation].name);
        print_fields(program, instruction, file);
        putc('\n', file);
    }
}
