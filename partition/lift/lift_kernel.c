/* lift_kernel.c: a kernel's names, and how one is refused. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lift.h"

enum { SENTENCE = 400 };

void lift_refuse(struct lift_kernel *kernel, const char *format, ...)
{
    if (kernel->refusal)
        return;
    va_list arguments;
    char sentence[SENTENCE];
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    kernel->refusal = lift_copy(&kernel->module->memory, sentence, strlen(sentence));
}

/* Whether the range declares the name; %r<29> does not declare %r029. */
static bool declares(const struct lift_range *range, const char *name)
{
    if (range->count == UINT64_MAX)
        return strcmp(range->prefix, name) == 0;
    size_t length = strlen(range->prefix);
    const char *digits = name + length;
    if (strncmp(range->prefix, name, length) != 0 || !*digits || strlen(digits) > 9 ||
        digits[strspn(digits, "0123456789")] || (*digits == '0' && digits[1]))
        return false;
    return strtoull(digits, NULL, 10) < range->count;
}

/* Inner blocks may declare a name anew; with another type it is another register. */
static const struct lift_range *range_of(struct lift_kernel *kernel, const char *name)
{
    const struct lift_range *found = NULL;
    for (size_t i = 0; i < kernel->range_count; i++) {
        if (!declares(&kernel->ranges[i], name))
            continue;
        if (found && !lift_same(found->type, kernel->ranges[i].type))
            lift_refuse(kernel, "register %.60s is declared with two types", name);
        found = &kernel->ranges[i];
    }
    return found;
}

bool lift_declares_register(const struct lift_kernel *kernel, const char *name)
{
    for (size_t i = 0; i < kernel->range_count; i++)
        if (declares(&kernel->ranges[i], name))
            return true;
    return false;
}

bool lift_is_reserved(const char *name)
{
    static const char *const prefixes[] = {"lift_", "launch_", "partition_", "llvm."};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

struct lift_register *lift_register(struct lift_kernel *kernel, const char *name)
{
    struct lift_memory *memory = &kernel->module->memory;
    struct lift_register *found = lift_find(&kernel->registers, name);
    if (found)
        return found;
    const struct lift_range *range = range_of(kernel, name);
    if (!range)
        return NULL;
    found = lift_allocate(memory, sizeof *found);
    *found = (struct lift_register){.name = name, .type = range->type};
    lift_insert(memory, &kernel->registers, name, found);
    kernel->register_list =
        lift_grow(memory, kernel->register_list, kernel->register_count, sizeof found);
    kernel->register_list[kernel->register_count++] = found;
    return found;
}

struct lift_parameter *lift_parameter(struct lift_kernel *kernel, const char *name)
{
    for (size_t i = 0; i < kernel->parameter_count; i++)
        if (strcmp(kernel->parameters[i].name, name) == 0)
            return &kernel->parameters[i];
    return NULL;
}

struct lift_variable *lift_variable(const struct lift_kernel *kernel, const char *name)
{
    struct lift_variable *own = lift_find(&kernel->variables.table, name);
    return own ? own : lift_find(&kernel->module->variables.table, name);
}

bool lift_has_part(const struct lift_instruction *instruction, const char *part)
{
    for (size_t i = 1; i < instruction->part_count; i++)
        if (strcmp(instruction->parts[i], part) == 0)
            return true;
    return false;
}

char lift_space(const struct lift_instruction *instruction)
{
    static const struct {
        const char *part;
        char space;
    } spaces[] = {{"const", 'c'}, {"shared", 's'}, {"shared::cta", 's'},  {"shared::cluster", 'r'},
                  {"local", 'l'}, {"param", 'p'},  {"param::entry", 'p'}, {"param::func", 'f'}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (lift_has_part(instruction, spaces[i].part))
            return spaces[i].space;
    return 'g';
}
