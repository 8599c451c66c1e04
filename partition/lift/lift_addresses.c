/* lift_addresses.c: which parameters and registers hold addresses.
 *
 * PTX has integers of 64 bits only. What an address can be made of flows through moves and sums
 * from parameters and variables to where memory is accessed. Of two parameters in one sum, the
 * address is the one that nvcc converts to an address of global memory (cvta), or marks (.ptr). */
#include <string.h>

#include "lift.h"

enum { BASES_MAX = 64 };

static void number_variables(struct lift_kernel *kernel, struct lift_variables *variables)
{
    for (size_t i = 0; i < variables->count; i++)
        if (variables->list[i]->space != 's')
            variables->list[i]->number = kernel->base_count++;
}

static void number_bases(struct lift_kernel *kernel)
{
    for (size_t i = 0; i < kernel->parameter_count; i++)
        if (kernel->parameters[i].type.bits == 64 && kernel->parameters[i].type.kind != 'f' &&
            !kernel->parameters[i].is_structure)
            kernel->parameters[i].number = kernel->base_count++;
    number_variables(kernel, &kernel->module->variables);
    number_variables(kernel, &kernel->variables);
    if (kernel->base_count > BASES_MAX)
        lift_refuse(kernel, "it has more than %d parameters and variables that can be addresses",
                    BASES_MAX);
}

static uint64_t bit(unsigned number)
{
    return 1ULL << number;
}

/* What the operand can be the address of. */
static uint64_t bases_of(struct lift_kernel *kernel, const struct lift_operand *operand)
{
    if ((operand->kind != LIFT_NAME && operand->kind != LIFT_ADDRESS) || !operand->name)
        return 0;
    struct lift_register *from = lift_register(kernel, operand->name);
    if (from)
        return from->bases;
    struct lift_variable *variable = lift_variable(kernel, operand->name);
    return variable && variable->space != 's' ? bit(variable->number) : 0;
}

static bool is_opcode(const struct lift_instruction *instruction, const char *name)
{
    return instruction->part_count && strcmp(instruction->parts[0], name) == 0;
}

/* Which operands' addresses the result is made of: a bit for each. */
static unsigned sources(const struct lift_instruction *instruction)
{
    static const struct {
        const char *opcode;
        unsigned operands;
    } flows[] = {{"mov", 1u << 1}, {"cvta", 1u << 1},           {"add", 1u << 1 | 1u << 2},
                 {"sub", 1u << 1}, {"selp", 1u << 1 | 1u << 2}, {"mad", 1u << 3}};
    for (size_t i = 0; i < sizeof flows / sizeof *flows; i++)
        if (is_opcode(instruction, flows[i].opcode))
            return flows[i].operands;
    return 0;
}

static uint64_t parameter_base(struct lift_kernel *kernel,
                               const struct lift_instruction *instruction)
{
    static const struct lift_type word = {'b', 64};
    const struct lift_operand *from = &instruction->operands[1];
    if (!is_opcode(instruction, "ld") || lift_space(instruction) != 'p')
        return 0;
    struct lift_parameter *parameter = lift_loaded(kernel, from, word, 0);
    return parameter && parameter->type.bits == 64 && parameter->type.kind != 'f' &&
                   !parameter->is_structure
               ? bit(parameter->number)
               : 0;
}

static struct lift_register *result_of(struct lift_kernel *kernel,
                                       const struct lift_instruction *instruction)
{
    const struct lift_operand *to = &instruction->operands[0];
    if (instruction->label || instruction->operand_count < 2 || to->kind != LIFT_NAME)
        return NULL;
    struct lift_register *found = lift_register(kernel, to->name);
    return found && found->type.bits == 64 && found->type.kind != 'f' ? found : NULL;
}

/* The addresses that the operand may be as they are, with nothing added. */
static uint64_t unmoved_of(struct lift_kernel *kernel, const struct lift_operand *operand)
{
    struct lift_register *from =
        operand->kind == LIFT_NAME && operand->name ? lift_register(kernel, operand->name) : NULL;
    return from ? from->unmoved : bases_of(kernel, operand);
}

static bool is_sum(const struct lift_instruction *instruction)
{
    return is_opcode(instruction, "add") || is_opcode(instruction, "sub") ||
           is_opcode(instruction, "mad");
}

/* One pass; whether anything is new. */
static bool flow(struct lift_kernel *kernel)
{
    bool is_new = false;
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        const struct lift_instruction *instruction = &kernel->instructions[i];
        struct lift_register *to = result_of(kernel, instruction);
        if (!to)
            continue;
        uint64_t loaded = parameter_base(kernel, instruction);
        uint64_t bases = to->bases | loaded, unmoved = to->unmoved | loaded;
        unsigned from = sources(instruction);
        for (unsigned o = 1; o < instruction->operand_count; o++) {
            if (!(from & 1u << o))
                continue;
            bases |= bases_of(kernel, &instruction->operands[o]);
            if (!is_sum(instruction))
                unmoved |= unmoved_of(kernel, &instruction->operands[o]);
        }
        is_new |= bases != to->bases || unmoved != to->unmoved;
        to->bases = bases;
        to->unmoved = unmoved;
    }
    return is_new;
}

static bool accesses_memory(const struct lift_instruction *instruction)
{
    static const char *const opcodes[] = {"ld", "ldu", "st", "atom", "red", "prefetch"};
    char space = lift_space(instruction);
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
        if (is_opcode(instruction, opcodes[i]))
            return space == 'g' || space == 'c' || space == 'l';
    return false;
}

static bool is_one_bit(uint64_t bits)
{
    return bits && (bits & (bits - 1)) == 0;
}

static uint64_t variable_bases(const struct lift_variables *variables)
{
    uint64_t bases = 0;
    for (size_t i = 0; i < variables->count; i++)
        bases |= variables->list[i]->space != 's' ? bit(variables->list[i]->number) : 0;
    return bases;
}

/* What is known to be an address, whatever it is added to. */
static uint64_t certain_bases(struct lift_kernel *kernel)
{
    uint64_t certain = 0;
    for (size_t i = 0; i < kernel->parameter_count; i++)
        if (kernel->parameters[i].is_marked && kernel->parameters[i].type.bits == 64)
            certain |= bit(kernel->parameters[i].number);
    certain |= variable_bases(&kernel->module->variables) | variable_bases(&kernel->variables);
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        const struct lift_instruction *instruction = &kernel->instructions[i];
        if (instruction->label || !is_opcode(instruction, "cvta"))
            continue;
        uint64_t bases = bases_of(kernel, &instruction->operands[1]);
        certain |= is_one_bit(bases) ? bases : unmoved_of(kernel, &instruction->operands[1]);
    }
    return certain;
}

/* Whether a sum is made of two addresses; what selp or a branch chooses from is one at a time. */
static bool adds_addresses(struct lift_kernel *kernel, uint64_t certain)
{
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        const struct lift_instruction *instruction = &kernel->instructions[i];
        if (instruction->label || !is_opcode(instruction, "add") || instruction->operand_count < 3)
            continue;
        if ((bases_of(kernel, &instruction->operands[1]) & certain) &&
            (bases_of(kernel, &instruction->operands[2]) & certain))
            return true;
    }
    return false;
}

/* Of each access the base that its address has, or those of which one is chosen. */
static uint64_t used_bases(struct lift_kernel *kernel, uint64_t certain)
{
    uint64_t used = 0;
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        const struct lift_instruction *instruction = &kernel->instructions[i];
        if (instruction->label || !accesses_memory(instruction))
            continue;
        for (size_t o = 0; o < instruction->operand_count; o++) {
            if (instruction->operands[o].kind != LIFT_ADDRESS)
                continue;
            uint64_t bases = bases_of(kernel, &instruction->operands[o]);
            uint64_t known = bases & certain ? bases & certain : bases;
            if (!known)
                lift_refuse(kernel,
                            "line %u: the address of %.40s is made of no parameter: pass "
                            "each array as an argument",
                            instruction->line, instruction->text);
            else if (!is_one_bit(known) && (!(known & certain) || adds_addresses(kernel, certain)))
                lift_refuse(kernel, "line %u: an address that is made of two: index one array",
                            instruction->line);
            used |= known;
        }
    }
    return used;
}

void lift_find_addresses(struct lift_kernel *kernel)
{
    number_bases(kernel);
    if (kernel->refusal)
        return;
    while (flow(kernel)) {
    }
    uint64_t certain = certain_bases(kernel), used = used_bases(kernel, certain) | certain;
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        struct lift_parameter *parameter = &kernel->parameters[i];
        parameter->is_pointer = parameter->type.bits == 64 && parameter->type.kind != 'f' &&
                                !parameter->is_structure && (used & bit(parameter->number));
    }
    for (size_t i = 0; i < kernel->register_count; i++)
        kernel->register_list[i]->is_address = (kernel->register_list[i]->bases & used) != 0;
}
