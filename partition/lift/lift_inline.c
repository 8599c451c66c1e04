/* lift_inline.c: functions in the place of their calls.
 *
 * What a call hands over stands in memory of its own (.param) under names that are declared for
 * that call: st.param, call, ld.param. Here each call gets a copy of the function's body with names
 * of its own, in which the function's parameters are those names, and each part of them that is
 * stored or loaded is a register. */
#include <stdio.h>
#include <string.h>

#include "lift.h"

enum { DEPTH_MAX = 8, INLINED_MAX = 1 << 17, PARTS_MAX = 4096, NAME_MAX_BYTES = 1000 };

/* ---- names of a copy ---- */

/* One call of a function. */
struct copy {
    struct lift_kernel *kernel; /* gets it */
    const struct lift_kernel *of;
    const struct lift_instruction *call;
    unsigned number, depth;
    struct lift_table names; /* parameters, variables and labels of the function, as they are now */
};

static const char *join(struct lift_memory *memory, const char *prefix, unsigned number,
                        const char *name)
{
    char text[NAME_MAX_BYTES + 40];
    int length = snprintf(text, sizeof text, "%s%u_%.*s", prefix, number, NAME_MAX_BYTES, name);
    return lift_copy(memory, text, (size_t)length);
}

static const char *fresh(struct copy *copy, const char *name)
{
    bool is_register = name[0] == '%';
    return join(&copy->kernel->module->memory, is_register ? "%copy" : "copy", copy->number,
                name + is_register);
}

static void rename_to(struct copy *copy, const char *name, const char *to)
{
    struct lift_memory *memory = &copy->kernel->module->memory;
    if (!lift_find(&copy->names, name))
        lift_insert(memory, &copy->names, name, lift_copy(memory, to, strlen(to)));
}

static const char *new_name(struct copy *copy, const char *name)
{
    const char *to = name ? lift_find(&copy->names, name) : NULL;
    if (to || !name)
        return to;
    return name[0] == '%' && lift_declares_register(copy->of, name) ? fresh(copy, name) : name;
}

static struct lift_operand copy_operand(struct copy *copy, const struct lift_operand *from)
{
    struct lift_operand made = *from;
    made.name = new_name(copy, from->name);
    made.second = new_name(copy, from->second);
    made.items =
        from->count ? lift_allocate(&copy->kernel->module->memory, from->count * sizeof *made.items)
                    : NULL;
    for (size_t i = 0; i < from->count; i++)
        made.items[i] = copy_operand(copy, &from->items[i]);
    return made;
}

/* ---- what a copy declares ---- */

static void declare(struct lift_kernel *kernel, struct lift_range range)
{
    kernel->ranges =
        lift_grow(&kernel->module->memory, kernel->ranges, kernel->range_count, sizeof range);
    kernel->ranges[kernel->range_count++] = range;
}

static void declare_registers(struct copy *copy)
{
    for (size_t i = 0; i < copy->of->range_count; i++) {
        struct lift_range range = copy->of->ranges[i];
        range.prefix = fresh(copy, range.prefix);
        declare(copy->kernel, range);
    }
}

/* An array of the function is one of the kernel; in shared memory it is the same for all calls. */
static void declare_variables(struct copy *copy)
{
    for (size_t i = 0; i < copy->of->variables.count; i++) {
        struct lift_variable variable = *copy->of->variables.list[i];
        rename_to(copy, variable.name, fresh(copy, variable.name));
        variable.name = lift_find(&copy->names, variable.name);
        lift_add_variable(&copy->kernel->module->memory, &copy->kernel->variables, &variable);
    }
}

void lift_declare_for_call(struct lift_kernel *kernel, const char *name)
{
    kernel->for_calls = lift_grow(&kernel->module->memory, kernel->for_calls,
                                  kernel->for_call_count, sizeof *kernel->for_calls);
    kernel->for_calls[kernel->for_call_count++] = name;
}

/* What the function itself hands over to others. */
static void declare_for_calls(struct copy *copy)
{
    for (size_t i = 0; i < copy->of->for_call_count; i++) {
        rename_to(copy, copy->of->for_calls[i], fresh(copy, copy->of->for_calls[i]));
        lift_declare_for_call(copy->kernel, lift_find(&copy->names, copy->of->for_calls[i]));
    }
}

static void declare_labels(struct copy *copy)
{
    for (size_t i = 0; i < copy->of->instruction_count; i++)
        if (copy->of->instructions[i].label)
            rename_to(copy, copy->of->instructions[i].label,
                      fresh(copy, copy->of->instructions[i].label));
}

/* The list that the call has for the parameters, or for what is returned; NULL: it has none. */
static const struct lift_operand *list_of(const struct lift_instruction *call, bool is_returned)
{
    size_t at = call->operands[0].kind == LIFT_ARGUMENTS ? 0 : 1;
    const struct lift_operand *list =
        is_returned ? &call->operands[0] : &call->operands[at == 0 ? 2 : 1];
    bool is_there = is_returned ? at == 0 : (at == 0 ? 2u : 1u) < call->operand_count;
    return is_there && list->kind == LIFT_ARGUMENTS ? list : NULL;
}

/* False: the call does not fit the function. */
static bool bind(struct copy *copy, const struct lift_parameter *parameters, size_t count,
                 const struct lift_operand *list)
{
    if ((list ? list->count : 0) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (list->items[i].kind != LIFT_NAME || !list->items[i].name)
            return false;
        rename_to(copy, parameters[i].name, list->items[i].name);
    }
    return true;
}

/* ---- putting functions in their place ---- */

static void inline_into(struct lift_kernel *kernel, const struct lift_kernel *of,
                        struct copy *outer, unsigned depth);

static void append(struct lift_kernel *kernel, const struct lift_instruction *instruction)
{
    if (kernel->instruction_count >= INLINED_MAX) {
        lift_refuse(kernel, "with the functions that it calls it is too long");
        return;
    }
    kernel->instructions = lift_grow(&kernel->module->memory, kernel->instructions,
                                     kernel->instruction_count, sizeof *instruction);
    kernel->instructions[kernel->instruction_count++] = *instruction;
}

static void append_label(struct lift_kernel *kernel, const char *label, unsigned line)
{
    append(kernel, &(struct lift_instruction){.line = line, .label = label});
}

/* Goes to the label if the predicate, if there is one, is so. */
static void append_branch(struct lift_kernel *kernel, const char *label,
                          const struct lift_instruction *like, bool negated)
{
    struct lift_instruction made = {.line = like->line,
                                    .predicate = like->predicate,
                                    .negated = like->negated != negated,
                                    .text = "bra",
                                    .parts = {"bra"},
                                    .part_count = 1,
                                    .operands = {{.kind = LIFT_NAME, .name = label}},
                                    .operand_count = 1};
    append(kernel, &made);
}

static bool is_opcode(const struct lift_instruction *instruction, const char *name)
{
    return !instruction->label && strcmp(instruction->parts[0], name) == 0;
}

static const struct lift_kernel *find_function(const struct lift_module *module, const char *name)
{
    for (size_t i = 0; i < module->function_count; i++)
        if (strcmp(module->functions[i].name, name) == 0)
            return &module->functions[i];
    return NULL;
}

/* NULL: it is called through a pointer. */
static const char *callee(const struct lift_instruction *call)
{
    size_t at = call->operand_count && call->operands[0].kind == LIFT_ARGUMENTS ? 1 : 0;
    bool is_name = at < call->operand_count && call->operands[at].kind == LIFT_NAME;
    return is_name && call->operands[at].name[0] != '%' ? call->operands[at].name : NULL;
}

/* A failed assertion ends the program: what is behind it does not count. */
static bool has_no_effect(const char *name)
{
    return strcmp(name, "__assertfail") == 0;
}

static void inline_call(struct lift_kernel *kernel, const struct lift_instruction *call,
                        unsigned depth)
{
    const char *name = callee(call);
    const struct lift_kernel *function = name ? find_function(kernel->module, name) : NULL;
    if (name && has_no_effect(name))
        return;
    if (name && !function && strcmp(name, "vprintf") == 0) {
        lift_refuse(kernel,
                    "line %u: it prints, and lines of several devices could come in "
                    "another order: leave it out",
                    call->line);
        return;
    }
    if (!function) {
        lift_refuse(kernel, "line %u: it calls %.100s, whose accesses are not known", call->line,
                    name ? name : "a function through a pointer");
        return;
    }
    if (function->refusal || depth == DEPTH_MAX) {
        lift_refuse(kernel, "line %u: it calls %.100s: %.200s", call->line, name,
                    function->refusal ? function->refusal
                                      : "recursion, or too many calls within each other");
        return;
    }
    struct copy copy = {
        .kernel = kernel, .of = function, .call = call, .number = ++kernel->copies, .depth = depth};
    if (!bind(&copy, function->parameters, function->parameter_count, list_of(call, false)) ||
        !bind(&copy, function->returns, function->return_count, list_of(call, true))) {
        lift_refuse(kernel, "line %u: it calls %.100s with other arguments than that has",
                    call->line, name);
        return;
    }
    const char *end = fresh(&copy, "end");
    if (call->predicate)
        append_branch(kernel, end, call, true);
    declare_registers(&copy);
    declare_variables(&copy);
    declare_for_calls(&copy);
    declare_labels(&copy);
    inline_into(kernel, function, &copy, depth + 1);
    append_label(kernel, end, call->line);
}

static void inline_one(struct lift_kernel *kernel, const struct lift_instruction *from,
                       struct copy *outer, unsigned depth)
{
    struct lift_instruction made = *from;
    if (outer) {
        made.label = new_name(outer, from->label);
        made.predicate = new_name(outer, from->predicate);
        for (size_t o = 0; o < from->operand_count; o++)
            made.operands[o] = copy_operand(outer, &from->operands[o]);
    }
    if (is_opcode(&made, "call"))
        inline_call(kernel, &made, depth);
    else if (outer && is_opcode(&made, "ret"))
        append_branch(kernel, fresh(outer, "end"), &made, false);
    else
        append(kernel, &made);
}

/* Appends what `of` does; `outer`: as a copy. */
static void inline_into(struct lift_kernel *kernel, const struct lift_kernel *of,
                        struct copy *outer, unsigned depth)
{
    for (size_t i = 0; i < of->instruction_count && !kernel->refusal; i++)
        inline_one(kernel, &of->instructions[i], outer, depth);
}

/* ---- what is handed over, as registers ---- */

/* Bytes of what a call hands over that are stored or loaded at once. */
struct part {
    const char *of, *name; /* of the register */
    uint64_t offset;
    unsigned bits;
};

struct parts {
    struct lift_kernel *kernel;
    struct part *items;
    size_t count;
};

static const char *part_name(struct parts *parts, const char *of, uint64_t offset, unsigned bits)
{
    struct lift_kernel *kernel = parts->kernel;
    struct lift_memory *memory = &kernel->module->memory;
    for (size_t i = 0; i < parts->count; i++) {
        const struct part *part = &parts->items[i];
        bool is_apart =
            offset + bits / 8 <= part->offset || part->offset + part->bits / 8 <= offset;
        if (strcmp(part->of, of) != 0 || is_apart)
            continue;
        if (part->offset != offset || part->bits != bits)
            lift_refuse(kernel, "it hands over %.60s to a function in other parts than that takes",
                        of);
        return part->name;
    }
    if (parts->count == PARTS_MAX)
        lift_refuse(kernel, "it hands over too much to functions");
    char place[64];
    snprintf(place, sizeof place, "%%part%zu_", parts->count);
    struct part made = {of, join(memory, place, (unsigned)offset, of + (of[0] == '%')), offset,
                        bits};
    parts->items = lift_grow(memory, parts->items, parts->count, sizeof made);
    parts->items[parts->count++] = made;
    declare(kernel,
            (struct lift_range){.prefix = made.name, .count = UINT64_MAX, .type = {'b', bits}});
    return made.name;
}

/* The name is one that the kernel declared for calls. */
static bool is_handed_over(const struct lift_kernel *kernel, const struct lift_operand *address)
{
    for (size_t i = 0; address->kind == LIFT_ADDRESS && i < kernel->for_call_count; i++)
        if (address->name && strcmp(kernel->for_calls[i], address->name) == 0)
            return true;
    return false;
}

/* st.param.v2.f64 [param0+16], {a, b} and ld.param are moves to and from registers. */
static void move(struct parts *parts, const struct lift_instruction *from, bool is_store)
{
    struct lift_type type;
    const struct lift_operand *address = &from->operands[is_store ? 0 : 1];
    const struct lift_operand *value = &from->operands[is_store ? 1 : 0];
    unsigned count = lift_elements(from);
    bool is_list = value->kind == LIFT_LIST;
    if (!lift_read_type(from->parts[from->part_count - 1], &type) || type.bits < 8 ||
        address->number < 0 || (is_list ? value->count : 1) != count) {
        lift_refuse(parts->kernel, "line %u: %.60s: not known here", from->line, from->text);
        return;
    }
    static const char *const words[] = {"b8", "b16", "b32", "b64"};
    const char *word = words[type.bits == 8 ? 0 : type.bits == 16 ? 1 : type.bits == 32 ? 2 : 3];
    for (unsigned i = 0; i < count; i++) {
        uint64_t offset = (uint64_t)address->number + i * type.bits / 8;
        struct lift_operand place = {.kind = LIFT_NAME,
                                     .name = part_name(parts, address->name, offset, type.bits)};
        struct lift_operand item = is_list ? value->items[i] : *value;
        struct lift_instruction made = *from;
        made.text = "mov";
        made.parts[0] = "mov";
        made.parts[1] = word;
        made.part_count = 2;
        made.operands[0] = is_store ? place : item;
        made.operands[1] = is_store ? item : place;
        append(parts->kernel, &made);
    }
}

static void move_parameters(struct lift_kernel *kernel)
{
    struct parts parts = {.kernel = kernel};
    struct lift_instruction *old = kernel->instructions;
    size_t count = kernel->instruction_count;
    kernel->instructions = NULL;
    kernel->instruction_count = 0;
    for (size_t i = 0; i < count && !kernel->refusal; i++) {
        bool is_store = is_opcode(&old[i], "st"), is_load = is_opcode(&old[i], "ld");
        if ((is_store || is_load) && old[i].operand_count > 1 &&
            is_handed_over(kernel, &old[i].operands[is_store ? 0 : 1]))
            move(&parts, &old[i], is_store);
        else
            append(kernel, &old[i]);
    }
}

/* ---- what this file is for ---- */

void lift_inline(struct lift_kernel *kernel)
{
    bool calls = false;
    for (size_t i = 0; i < kernel->instruction_count; i++)
        calls = calls || is_opcode(&kernel->instructions[i], "call");
    if (!calls || kernel->refusal)
        return;
    struct lift_kernel own = *kernel;
    kernel->instructions = NULL;
    kernel->instruction_count = 0;
    inline_into(kernel, &own, NULL, 0);
    if (!kernel->refusal)
        move_parameters(kernel);
}
