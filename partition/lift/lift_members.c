/* lift_members.c: members of structures that are passed by value.
 *
 * A structure is an argument of its size, of which nothing is used; what a kernel loads from it is
 * an argument of its own, behind those that the kernel has. */
#include <string.h>

#include "lift.h"

static bool is_load(const struct lift_instruction *instruction)
{
    return !instruction->label && strcmp(instruction->parts[0], "ld") == 0 &&
           lift_space(instruction) == 'p' && instruction->operand_count > 1 &&
           instruction->operands[1].kind == LIFT_ADDRESS && instruction->operands[1].name;
}

static bool is_opcode(const struct lift_instruction *instruction, const char *name)
{
    return strcmp(instruction->parts[0], name) == 0;
}

/* ld.param [%rd2+68], where %rd2 is the place of a parameter and a number of bytes, loads from the
 * parameter. What is no such place stays as it is, and is refused where it is loaded. */
static void name_parameter(struct lift_kernel *kernel, struct lift_operand *from)
{
    enum { STEPS_MAX = 16 };
    struct lift_operand place = *from;
    for (unsigned i = 0; i < STEPS_MAX; i++) {
        const struct lift_register *of = lift_register(kernel, place.name);
        if (!of)
            break;
        const struct lift_instruction *by = of->definition;
        bool is_move = by && is_opcode(by, "mov") && by->operand_count == 2;
        bool is_sum = by && is_opcode(by, "add") && by->operand_count == 3 &&
                      by->operands[2].kind == LIFT_INTEGER;
        if (of->definitions != 1 || by->predicate || (!is_move && !is_sum) ||
            by->operands[1].kind != LIFT_NAME)
            return;
        place.name = by->operands[1].name;
        place.number += by->operands[1].number + (is_sum ? by->operands[2].number : 0);
    }
    if (lift_parameter(kernel, place.name))
        *from = place;
}

static bool overlaps(const struct lift_parameter *member, uint64_t offset, unsigned bytes)
{
    return offset < member->offset + member->type.bits / 8 && member->offset < offset + bytes;
}

/* The member of those bytes, made if it is the first time; NULL: it is a part of another. */
static void add_member(struct lift_kernel *kernel, size_t whole, uint64_t offset,
                       struct lift_type type)
{
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const struct lift_parameter *known = &kernel->parameters[i];
        if (known->whole != whole + 1 || !overlaps(known, offset, type.bits / 8))
            continue;
        if (known->offset != offset || known->type.bits != type.bits)
            lift_refuse(kernel,
                        "argument %zu is a structure of whose bytes different members are "
                        "made",
                        whole);
        return;
    }
    if (type.bits < 8 || offset + type.bits / 8 > kernel->parameters[whole].bytes) {
        lift_refuse(kernel, "it loads what is no member of argument %zu", whole);
        return;
    }
    struct lift_parameter member = {.name = "", .type = type, .whole = whole + 1, .offset = offset};
    kernel->parameters = lift_grow(&kernel->module->memory, kernel->parameters,
                                   kernel->parameter_count, sizeof member);
    kernel->parameters[kernel->parameter_count++] = member;
}

unsigned lift_elements(const struct lift_instruction *instruction)
{
    return lift_has_part(instruction, "v2") ? 2 : lift_has_part(instruction, "v4") ? 4 : 1;
}

void lift_find_members(struct lift_kernel *kernel)
{
    struct lift_type type;
    for (size_t i = 0; i < kernel->instruction_count && !kernel->refusal; i++) {
        struct lift_instruction *instruction = &kernel->instructions[i];
        if (is_load(instruction))
            name_parameter(kernel, &instruction->operands[1]);
        if (!is_load(instruction) ||
            !lift_read_type(instruction->parts[instruction->part_count - 1], &type))
            continue;
        const struct lift_operand *from = &instruction->operands[1];
        const struct lift_parameter *whole = lift_parameter(kernel, from->name);
        if (!whole || !whole->is_structure || from->number < 0)
            continue;
        size_t number = (size_t)(whole - kernel->parameters);
        for (unsigned e = 0; e < lift_elements(instruction); e++)
            add_member(kernel, number, (uint64_t)from->number + e * type.bits / 8, type);
    }
}

struct lift_parameter *lift_loaded(struct lift_kernel *kernel, const struct lift_operand *from,
                                   struct lift_type type, unsigned element)
{
    struct lift_parameter *whole =
        from->kind == LIFT_ADDRESS && from->name ? lift_parameter(kernel, from->name) : NULL;
    if (!whole)
        return NULL;
    if (!whole->is_structure)
        return from->number == 0 && element == 0 && whole->type.bits == type.bits ? whole : NULL;
    uint64_t offset = (uint64_t)from->number + element * type.bits / 8;
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        struct lift_parameter *member = &kernel->parameters[i];
        if (member->whole == (size_t)(whole - kernel->parameters) + 1 && member->offset == offset &&
            member->type.bits == type.bits)
            return member;
    }
    return NULL;
}

void lift_write_members(const struct lift_kernel *kernel, FILE *lines)
{
    for (size_t i = 0; i < kernel->parameter_count; i++)
        if (kernel->parameters[i].whole)
            fprintf(lines, "member %s %zu %zu %llu\n", kernel->name, i,
                    kernel->parameters[i].whole - 1,
                    (unsigned long long)kernel->parameters[i].offset);
}
