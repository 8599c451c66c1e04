/* lift_only_read.c: variables in global memory that no kernel of the text writes.
 *
 * Only the host writes them, which the run time sees and does on every device, so that for kernels
 * they are constants. A variable counts as written unless its address is, in all of the text, only
 * computed and loaded from. What an address flows into is a register, which is followed for one
 * variable alone: of two in one register both count as written. */
#include <string.h>

#include "lift.h"

enum { PASSES_MAX = 64 };

struct body {
    struct lift_kernel *kernel;
    struct lift_table from; /* the variable that a register's address is made of, by its name */
    bool is_new;            /* this pass found something */
};

/* NULL: the operand holds no address of a variable that counts. */
static struct lift_variable *held_by(const struct body *body, const struct lift_operand *operand)
{
    if (!operand->name)
        return NULL;
    struct lift_variable *variable = lift_find(&body->from, operand->name);
    if (!variable)
        variable = lift_variable(body->kernel, operand->name);
    return variable && variable->space == 'g' ? variable : NULL;
}

static void count_as_written(const struct body *body, const struct lift_operand *operand)
{
    struct lift_variable *variable = held_by(body, operand);
    if (variable)
        variable->is_written = true;
    for (size_t i = 0; i < operand->count; i++)
        count_as_written(body, &operand->items[i]);
}

static void flow_into(struct body *body, const char *name, struct lift_variable *variable)
{
    struct lift_variable *there = lift_find(&body->from, name);
    if (!there) {
        lift_insert(&body->kernel->module->memory, &body->from, name, variable);
        body->is_new = true;
    } else if (there != variable) {
        there->is_written = variable->is_written = true;
    }
}

static bool is_one_of(const char *opcode, const char *const *opcodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(opcode, opcodes[i]) == 0)
            return true;
    return false;
}

/* Whether the instruction only loads from the address that its second operand is. */
static bool only_loads(const struct lift_instruction *instruction)
{
    static const char *const loads[] = {"ld", "ldu"};
    return is_one_of(instruction->parts[0], loads, sizeof loads / sizeof *loads) &&
           instruction->operand_count == 2 && instruction->operands[1].kind == LIFT_ADDRESS;
}

/* Whether all that comes of addresses is in its first operand, a register. */
static bool only_computes(const struct lift_instruction *instruction)
{
    static const char *const flows[] = {"mov", "cvta", "add", "sub", "mad", "selp"};
    return is_one_of(instruction->parts[0], flows, sizeof flows / sizeof *flows) &&
           instruction->operand_count >= 2 && instruction->operands[0].kind == LIFT_NAME &&
           instruction->operands[0].name && !instruction->operands[0].second;
}

static void follow(struct body *body, const struct lift_instruction *instruction)
{
    if (instruction->label || only_loads(instruction))
        return;
    bool computes = only_computes(instruction);
    for (size_t i = 0; i < instruction->operand_count; i++) {
        const struct lift_operand *operand = &instruction->operands[i];
        struct lift_variable *variable = held_by(body, operand);
        if (!computes || operand->count)
            count_as_written(body, operand);
        else if (variable && i > 0)
            flow_into(body, instruction->operands[0].name, variable);
    }
}

static void count_all_as_written(struct lift_module *module)
{
    for (size_t i = 0; i < module->variables.count; i++)
        module->variables.list[i]->is_written = true;
}

static void follow_all(struct lift_kernel *kernel)
{
    struct body body = {.kernel = kernel, .is_new = true};
    for (unsigned pass = 0; body.is_new; pass++) {
        if (pass == PASSES_MAX) {
            count_all_as_written(kernel->module);
            return;
        }
        body.is_new = false;
        for (size_t i = 0; i < kernel->instruction_count; i++)
            follow(&body, &kernel->instructions[i]);
    }
}

void lift_find_written(struct lift_module *module)
{
    for (size_t i = 0; i < module->addressed_count; i++) {
        struct lift_variable *variable = lift_find(&module->variables.table, module->addressed[i]);
        if (variable)
            variable->is_written = true;
    }
    for (size_t i = 0; i < module->kernel_count; i++)
        follow_all(&module->kernels[i]);
    for (size_t i = 0; i < module->function_count; i++)
        follow_all(&module->functions[i]);
    if (module->has_unread_body)
        count_all_as_written(module);
}
