/* lift_emit_memory.c: loads, stores and what else has an address. */
#include <inttypes.h>
#include <string.h>

#include "lift_emit.h"

static bool is_opcode(const struct lift_emit *emit, const char *name)
{
    return strcmp(emit->at->parts[0], name) == 0;
}

/* An address in shared memory is a number of 32 bits; the variable keeps it in its own space. */
static struct lift_value shared_address(struct lift_emit *emit, const struct lift_operand *operand,
                                        int64_t offset)
{
    struct lift_operand base = *operand;
    base.kind = operand->name ? LIFT_NAME : LIFT_INTEGER;
    struct lift_value value = lift_operand(emit, &base, lift_bits(64));
    if (offset)
        value = lift_binary(emit, "add", value, lift_integer(value.type, offset));
    return value;
}

/* A pointer to the type, ready to be printed with its own type in front. */
static struct lift_value pointer(struct lift_emit *emit, const struct lift_operand *operand,
                                 char space, struct lift_type type, int64_t offset)
{
    const char *llvm = lift_llvm(type);
    if (space == 's') {
        struct lift_value at = shared_address(emit, operand, offset);
        const char *in = emit->to_run ? "" : " addrspace(3)";
        struct lift_value byte = lift_new(emit, lift_bits(64),
                                          "getelementptr [262144 x i8], [262144 x i8]%s* "
                                          "@lift_shared, i64 0, i64 %s",
                                          in, at.text);
        return lift_new(emit, lift_bits(64), "bitcast i8%s* %s to %s%s*", in, byte.text, llvm, in);
    }
    struct lift_operand base = *operand;
    base.kind = LIFT_NAME;
    base.number = operand->number + offset;
    if (!operand->name)
        lift_cannot(emit, "an address that is a number");
    struct lift_value at = operand->name ? lift_operand(emit, &base, lift_address_type)
                                         : (struct lift_value){lift_address_type, "null"};
    return lift_new(emit, lift_bits(64), "bitcast i8* %s to %s*", at.text, llvm);
}

static const char *space_text(const struct lift_emit *emit, char space)
{
    return space == 's' && !emit->to_run ? " addrspace(3)" : "";
}

static bool is_between_threads(const struct lift_emit *emit)
{
    static const char *const parts[] = {"volatile", "relaxed", "acquire", "release", "mmio"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (lift_has_part(emit->at, parts[i]))
            return true;
    return false;
}

/* The register, or the registers in braces, of so many elements. */
static const struct lift_operand *items(struct lift_emit *emit, const struct lift_operand *operand,
                                        size_t count)
{
    static const struct lift_operand none = {.kind = LIFT_NAME, .name = "_"};
    if (count == 1 && operand->kind != LIFT_LIST)
        return operand;
    if (operand->kind == LIFT_LIST && operand->count == count)
        return operand->items;
    lift_cannot(emit, "its operands do not fit its vector");
    return count == 1 ? &none : NULL;
}

static void load_parameter(struct lift_emit *emit, struct lift_type type)
{
    unsigned count = lift_elements(emit->at);
    const struct lift_operand *to = items(emit, &emit->at->operands[0], count);
    for (unsigned i = 0; to && i < count; i++) {
        int64_t number;
        const struct lift_parameter *parameter =
            lift_loaded(emit->kernel, &emit->at->operands[1], type, i);
        if (!parameter) {
            lift_cannot(emit, "a part of a parameter");
            return;
        }
        struct lift_value value = {.type =
                                       parameter->is_pointer ? lift_address_type : parameter->type};
        snprintf(value.text, sizeof value.text, "%%param_%zu",
                 (size_t)(parameter - emit->kernel->parameters));
        if (lift_launch_value(emit->kernel, parameter, &number))
            value = lift_integer(parameter->type, number);
        lift_set_operand(emit, &to[i], value, type.kind == 's');
    }
}

static void load(struct lift_emit *emit, struct lift_type type)
{
    char space = lift_space(emit->at);
    size_t count = lift_elements(emit->at);
    if (space == 'p') {
        load_parameter(emit, type);
        return;
    }
    const struct lift_operand *to = items(emit, &emit->at->operands[0], count);
    const char *is_volatile = is_between_threads(emit) ? "volatile " : "";
    for (size_t i = 0; to && i < count; i++) {
        struct lift_value at =
            pointer(emit, &emit->at->operands[1], space, type, (int64_t)(i * type.bits / 8));
        struct lift_value value =
            lift_new(emit, type, "load %s%s, %s%s* %s, align %u", is_volatile, lift_llvm(type),
                     lift_llvm(type), space_text(emit, space), at.text, type.bits / 8);
        lift_set_operand(emit, &to[i], value, type.kind == 's');
    }
}

static void store(struct lift_emit *emit, struct lift_type type)
{
    char space = lift_space(emit->at);
    size_t count = lift_elements(emit->at);
    const struct lift_operand *from = items(emit, &emit->at->operands[1], count);
    const char *is_volatile = is_between_threads(emit) ? "volatile " : "";
    for (size_t i = 0; from && i < count; i++) {
        struct lift_value value = lift_operand(emit, &from[i], type);
        struct lift_value at =
            pointer(emit, &emit->at->operands[0], space, type, (int64_t)(i * type.bits / 8));
        lift_line(emit, "store %s%s %s, %s%s* %s, align %u", is_volatile, lift_llvm(type),
                  value.text, lift_llvm(type), space_text(emit, space), at.text, type.bits / 8);
    }
}

/* LLVM's word for the operation; xchg for all whose order counts, of which it only matters that
 * they are atomic. */
static const char *atomic_word(const struct lift_emit *emit, struct lift_type type)
{
    static const char *const same[] = {"and", "or", "xor"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (lift_has_part(emit->at, same[i]))
            return same[i];
    bool is_real = type.kind == 'f', is_signed = type.kind == 's';
    if (lift_has_part(emit->at, "add") && !lift_has_part(emit->at, "noftz"))
        return is_real ? "fadd" : "add";
    if (lift_has_part(emit->at, "min") && !is_real)
        return is_signed ? "min" : "umin";
    return lift_has_part(emit->at, "max") && !is_real ? is_signed ? "max" : "umax" : "xchg";
}

static void atomic(struct lift_emit *emit, struct lift_type type)
{
    bool has_result = is_opcode(emit, "atom");
    char space = lift_space(emit->at);
    const char *word = atomic_word(emit, type);
    struct lift_type of = strcmp(word, "fadd") == 0 ? type : lift_bits(type.bits);
    bool is_known = !emit->to_run || strcmp(word, "xchg") != 0;
    if (!is_known || lift_elements(emit->at) > 1 || emit->at->operand_count < 2u + has_result) {
        lift_cannot(emit, is_known ? "operands are missing, or too many" : "it is not run");
        return;
    }
    struct lift_value with = lift_get(emit, 1 + has_result, of);
    struct lift_value at = pointer(emit, &emit->at->operands[has_result], space, of, 0);
    struct lift_value old =
        lift_new(emit, of, "atomicrmw %s %s%s* %s, %s %s seq_cst", word, lift_llvm(of),
                 space_text(emit, space), at.text, lift_llvm(of), with.text);
    if (has_result)
        lift_set(emit, old, false);
}

static bool is_access(const struct lift_emit *emit)
{
    static const char *const opcodes[] = {"ld", "ldu", "st", "atom", "red"};
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
        if (is_opcode(emit, opcodes[i]))
            return true;
    return false;
}

static bool is_fine(struct lift_emit *emit)
{
    char space = lift_space(emit->at);
    bool is_load = is_opcode(emit, "ld") || is_opcode(emit, "ldu");
    size_t address = is_load || is_opcode(emit, "atom") ? 1 : 0;
    if (emit->at->operand_count < 2 || emit->at->operands[address].kind != LIFT_ADDRESS ||
        emit->at->operands[address].count)
        lift_cannot(emit, "operands are missing");
    else if (space == 'r' || space == 'f' || (space == 'p' && !is_load))
        lift_cannot(emit, "this kind of memory is not known here");
    else
        return true;
    return false;
}

bool lift_emit_memory(struct lift_emit *emit)
{
    struct lift_type type;
    if (is_opcode(emit, "prefetch") || is_opcode(emit, "prefetchu"))
        return true;
    if (!is_access(emit))
        return false;
    if (!lift_last_type(emit, &type) || !is_fine(emit))
        return true;
    if (type.bits < 8)
        lift_cannot(emit, "its type is not known here");
    else if (is_opcode(emit, "st"))
        store(emit, type);
    else if (is_opcode(emit, "atom") || is_opcode(emit, "red"))
        atomic(emit, type);
    else
        load(emit, type);
    return true;
}
