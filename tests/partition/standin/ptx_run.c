/* ptx_run.c: executes kernels. The threads of a block go on one after the other, each up to its
 * next barrier. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx_internal.h"

struct thread {
    uint64_t *registers;
    size_t next;
    bool done;
    unsigned index[3];
    char *local;
};

struct block {
    const struct ptx_launch *launch;
    unsigned index[3];
    char *shared;
};

static float as_float(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static uint64_t of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double as_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The low bytes, with their sign or without. */
static uint64_t narrow(struct ptx_type type, uint64_t value)
{
    int unused = 64 - 8 * type.bytes;
    if (type.kind == 'p' || unused <= 0)
        return value;
    return type.kind == 's' ? (uint64_t)((int64_t)(value << unused) >> unused)
                            : value << unused >> unused;
}

static uint64_t special(const struct block *block, const struct thread *thread, uint64_t which)
{
    const struct ptx_launch *launch = block->launch;
    int d = (int)which % 3;
    if (which >= ARGUMENTS)
        return (uint64_t)(uintptr_t)(launch->arguments + (which - ARGUMENTS));
    switch (which - (uint64_t)d) {
    case TID:
        return thread->index[d];
    case NTID:
        return launch->block[d];
    case CTAID:
        return block->index[d];
    default:
        return launch->grid[d];
    }
}

static uint64_t value_of(const struct block *block, const struct thread *thread,
                         const struct ptx_operand *operand)
{
    switch (operand->kind) {
    case REGISTER:
        return thread->registers[operand->reg[0]];
    case SPECIAL:
        return special(block, thread, operand->value);
    default:
        return operand->value;
    }
}

static double float_operation(const struct ptx_instruction *instruction, double a, double b,
                              double c, bool single)
{
    switch (instruction->operation) {
    case OP_ADD:
        return a + b;
    case OP_SUB:
        return a - b;
    case OP_MUL:
        return a * b;
    case OP_MAD:
    case OP_FMA:
        return single ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
    case OP_DIV:
        return a / b;
    case OP_MIN:
        return fmin(a, b);
    case OP_MAX:
        return fmax(a, b);
    case OP_NEG:
        return -a;
    case OP_ABS:
        return fabs(a);
    case OP_RSQRT:
        return 1 / sqrt(a);
    case OP_SQRT:
        return sqrt(a);
    default:
        return 1 / a;
    }
}

static uint64_t high_half(struct ptx_type type, uint64_t a, uint64_t b)
{
    __extension__ typedef __int128 wide;
    wide product = type.kind == 's' ? (wide)(int64_t)a * (int64_t)b : (wide)a * (wide)b;
    return (uint64_t)(product >> 8 * type.bytes);
}

static uint64_t divide(struct ptx_type type, uint64_t a, uint64_t b, bool rest)
{
    if (!b)
        return UINT64_MAX;
    if (type.kind == 's')
        return rest ? (uint64_t)((int64_t)a % (int64_t)b) : (uint64_t)((int64_t)a / (int64_t)b);
    return rest ? a % b : a / b;
}

static bool is_less(struct ptx_type type, uint64_t a, uint64_t b)
{
    return type.kind == 's' ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t shift(const struct ptx_instruction *instruction, uint64_t a, uint64_t by)
{
    uint64_t bits = 8 * (uint64_t)instruction->type.bytes;
    bool over = by >= bits;
    if (instruction->operation == OP_SHL)
        return over ? 0 : a << by;
    if (instruction->type.kind == 's')
        return (uint64_t)((int64_t)a >> (over ? bits - 1 : by));
    return over ? 0 : a >> by;
}

/* Operands are narrowed to the type; the result is by the caller. */
static uint64_t integer_operation(const struct ptx_instruction *instruction, uint64_t a, uint64_t b,
                                  uint64_t c)
{
    struct ptx_type type = instruction->type;
    switch (instruction->operation) {
    case OP_ADD:
        return a + b;
    case OP_SUB:
        return a - b;
    case OP_MUL:
        return instruction->mode == 'h' ? high_half(type, a, b) : a * b;
    case OP_MAD:
        return (instruction->mode == 'h' ? high_half(type, a, b) : a * b) + c;
    case OP_DIV:
        return divide(type, a, b, false);
    case OP_REM:
        return divide(type, a, b, true);
    case OP_MIN:
        return is_less(type, a, b) ? a : b;
    case OP_MAX:
        return is_less(type, a, b) ? b : a;
    case OP_AND:
        return a & b;
    case OP_OR:
        return a | b;
    case OP_XOR:
        return a ^ b;
    case OP_NOT:
        return type.kind == 'p' ? !a : ~a;
    case OP_NEG:
        return -a;
    case OP_ABS:
        return (int64_t)a < 0 ? -a : a;
    default:
        return shift(instruction, a, b);
    }
}

static bool compare(int how, double order)
{
    switch (how) {
    case CMP_EQ:
        return order == 0;
    case CMP_NE:
        return order != 0;
    case CMP_LT:
        return order < 0;
    case CMP_LE:
        return order <= 0;
    case CMP_GT:
        return order > 0;
    default:
        return order >= 0;
    }
}

/* Below, equal or above 0; of floats that cannot be ordered none of it. */
static double order_of(struct ptx_type type, uint64_t a, uint64_t b)
{
    if (type.kind == 'f') {
        double x = type.bytes == 4 ? as_float(a) : as_double(a);
        double y = type.bytes == 4 ? as_float(b) : as_double(b);
        return x < y ? -1 : x > y ? 1 : x == y ? 0 : NAN;
    }
    a = narrow(type, a);
    b = narrow(type, b);
    return a == b ? 0 : is_less(type, a, b) ? -1 : 1;
}

static uint64_t convert(const struct ptx_instruction *instruction, uint64_t value)
{
    struct ptx_type to = instruction->type, from = instruction->from;
    if (from.kind != 'f' && to.kind != 'f')
        return narrow(to, narrow(from, value));
    double number = from.kind != 'f'  ? from.kind == 's' ? (double)(int64_t)narrow(from, value)
                                                         : (double)narrow(from, value)
                     : from.bytes == 4 ? as_float(value)
                                      : as_double(value);
    if (to.kind == 'f')
        return to.bytes == 4 ? of_float((float)number) : of_double(number);
    return narrow(to, to.kind == 's' ? (uint64_t)(int64_t)number : (uint64_t)number);
}

static uint64_t compute(const struct ptx_instruction *instruction, uint64_t a, uint64_t b,
                        uint64_t c)
{
    struct ptx_type type = instruction->type, result = type;
    if (type.kind == 'f' && type.bytes == 4)
        return of_float(
            (float)float_operation(instruction, as_float(a), as_float(b), as_float(c), true));
    if (type.kind == 'f')
        return of_double(
            float_operation(instruction, as_double(a), as_double(b), as_double(c), false));
    bool is_wide = instruction->mode == 'w';
    bool is_shift = instruction->operation == OP_SHL || instruction->operation == OP_SHR;
    if (is_wide)
        result.bytes *= 2;
    return narrow(result, integer_operation(instruction, narrow(type, a),
                                            is_shift ? (uint32_t)b : narrow(type, b),
                                            is_wide ? c : narrow(type, c)));
}

static char *place(const struct block *block, const struct thread *thread,
                   const struct ptx_instruction *instruction, const struct ptx_operand *operand)
{
    uint64_t base = operand->reg[0] >= 0 ? thread->registers[operand->reg[0]] : 0;
    uint64_t address = base + operand->value;
    switch (instruction->space) {
    case SPACE_SHARED:
        return block->shared + (uint32_t)address;
    case SPACE_LOCAL:
        return thread->local + address;
    case SPACE_PARAM:
        return (char *)(uintptr_t)(operand->reg[0] >= 0 ? 0 : block->launch->arguments) + address;
    default:
        return (char *)(uintptr_t)address;
    }
}

static void load_or_store(const struct block *block, struct thread *thread,
                          const struct ptx_instruction *instruction)
{
    bool is_load = instruction->operation == OP_LD;
    const struct ptx_operand *registers = &instruction->operand[is_load ? 0 : 1];
    char *memory = place(block, thread, instruction, &instruction->operand[is_load ? 1 : 0]);
    size_t bytes = (size_t)instruction->type.bytes;
    int count = registers->count > 0 ? registers->count : 1;
    for (int i = 0; i < count; i++) {
        uint64_t value =
            registers->kind == VALUE ? registers->value : thread->registers[registers->reg[i]];
        if (is_load) {
            value = 0;
            memcpy(&value, memory + (size_t)i * bytes, bytes);
            thread->registers[registers->reg[i]] = narrow(instruction->type, value);
        } else {
            memcpy(memory + (size_t)i * bytes, &value, bytes);
        }
    }
}

static void change_in_memory(const struct block *block, struct thread *thread,
                             const struct ptx_instruction *instruction)
{
    char *memory = place(block, thread, instruction, &instruction->operand[1]);
    uint64_t before = 0, by = value_of(block, thread, &instruction->operand[2]);
    struct ptx_instruction change = *instruction;
    change.operation = instruction->in_memory;
    memcpy(&before, memory, (size_t)instruction->type.bytes);
    uint64_t after = compute(&change, before, by, 0);
    memcpy(memory, &after, (size_t)instruction->type.bytes);
    thread->registers[instruction->operand[0].reg[0]] = before;
}

/* Shared memory has addresses of its own: only cvta from there changes anything. */
static uint64_t convert_address(const struct block *block,
                                const struct ptx_instruction *instruction, uint64_t address)
{
    if (instruction->space != SPACE_SHARED)
        return address;
    uint64_t window = (uint64_t)(uintptr_t)block->shared;
    return instruction->to_space ? address - window : address + window;
}

static uint64_t result_of(const struct block *block, const struct thread *thread,
                          const struct ptx_instruction *instruction)
{
    uint64_t a = value_of(block, thread, &instruction->operand[1]);
    uint64_t b = value_of(block, thread, &instruction->operand[2]);
    uint64_t c = value_of(block, thread, &instruction->operand[3]);
    switch (instruction->operation) {
    case OP_MOV:
        return a;
    case OP_SELP:
        return c ? a : b;
    case OP_SETP:
        return compare(instruction->compare, order_of(instruction->type, a, b));
    case OP_CVT:
        return convert(instruction, a);
    case OP_CVTA:
        return convert_address(block, instruction, a);
    default:
        return compute(instruction, a, b, c);
    }
}

/* Up to a barrier or the end. */
static void run_thread(const struct block *block, struct thread *thread)
{
    const struct ptx_kernel *kernel = block->launch->kernel;
    while (thread->next < kernel->length) {
        const struct ptx_instruction *instruction = &kernel->code[thread->next++];
        if (instruction->guard >= 0 &&
            !thread->registers[instruction->guard] != instruction->unless)
            continue;
        switch (instruction->operation) {
        case OP_BRA:
            thread->next = (size_t)instruction->target;
            break;
        case OP_BAR:
            return;
        case OP_RET:
            thread->done = true;
            return;
        case OP_LD:
        case OP_ST:
            load_or_store(block, thread, instruction);
            break;
        case OP_ATOM:
            change_in_memory(block, thread, instruction);
            break;
        default:
            thread->registers[instruction->operand[0].reg[0]] =
                result_of(block, thread, instruction);
        }
    }
    thread->done = true;
}

static void run_block(const struct block *block, struct thread *threads, size_t count)
{
    const struct ptx_kernel *kernel = block->launch->kernel;
    const unsigned *size = block->launch->block;
    for (size_t i = 0; i < count; i++) {
        struct thread *thread = &threads[i];
        thread->next = 0;
        thread->done = false;
        thread->index[0] = (unsigned)(i % size[0]);
        thread->index[1] = (unsigned)(i / size[0] % size[1]);
        thread->index[2] = (unsigned)(i / size[0] / size[1]);
        memset(thread->registers, 0, (size_t)kernel->registers * sizeof *thread->registers);
    }
    for (size_t left = count; left > 0;) {
        left = 0;
        for (size_t i = 0; i < count; i++) {
            if (!threads[i].done)
                run_thread(block, &threads[i]);
            left += !threads[i].done;
        }
    }
}

bool ptx_run(const struct ptx_launch *launch)
{
    const struct ptx_kernel *kernel = launch->kernel;
    size_t count = (size_t)launch->block[0] * launch->block[1] * launch->block[2];
    struct thread *threads = calloc(count, sizeof *threads);
    uint64_t *registers = calloc(count * (size_t)kernel->registers + 1, sizeof *registers);
    char *local = calloc(count, kernel->local_bytes + 1);
    struct block block = {.launch = launch,
                          .shared = calloc(kernel->shared_bytes + launch->shared_bytes + 64, 1)};
    bool good = threads && registers && local && block.shared;
    for (size_t i = 0; good && i < count; i++) {
        threads[i].registers = registers + i * (size_t)kernel->registers;
        threads[i].local = local + i * kernel->local_bytes;
    }
    for (block.index[2] = 0; good && block.index[2] < launch->grid[2]; block.index[2]++)
        for (block.index[1] = 0; block.index[1] < launch->grid[1]; block.index[1]++)
            for (block.index[0] = 0; block.index[0] < launch->grid[0]; block.index[0]++)
                run_block(&block, threads, count);
    free(threads);
    free(registers);
    free(local);
    free(block.shared);
    return good;
}
