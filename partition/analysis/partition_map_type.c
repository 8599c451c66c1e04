/* partition_map_type.c: arguments and their types, from the line that defines
 * the kernel. */
#include <stdlib.h>
#include <string.h>

#include "partition_map.h"

/* Bits and fundamental type of an LLVM type that is no pointer; 0 bits if it
 * has none. */
static unsigned bits_of(const char *type, char *fundamental)
{
    static const struct {
        const char *name;
        unsigned bits;
        char fundamental;
    } floating[] = {
        {"float", 32, 'f'}, {"double", 64, 'd'}, {"half", 16, 'h'}, {"bfloat", 16, 'h'}};
    for (size_t i = 0; i < sizeof floating / sizeof *floating; i++)
        if (strcmp(type, floating[i].name) == 0) {
            *fundamental = floating[i].fundamental;
            return floating[i].bits;
        }
    *fundamental = 'i';
    if (type[0] != 'i')
        return 0;
    unsigned bits = (unsigned)strtoul(type + 1, NULL, 10);
    return bits ? (bits + 7) / 8 * 8 : 0; /* a bool is i1 and takes a byte */
}

bool map_is_opaque_pointer(const char *type)
{
    static const char name[] = "ptr";
    return map_starts(type, name) && !map_name_length(type + strlen(name));
}

void map_read_type(struct map_argument *argument)
{
    const char *star = strchr(argument->type, '*');
    size_t length = star ? (size_t)(star - argument->type) : strlen(argument->type);
    char *pointed = map_copy(argument->type, length);
    char *space = strstr(pointed, " addrspace(");
    if (space)
        *space = 0;
    for (; star; star = strchr(star + 1, '*'))
        argument->level++;
    unsigned bits = argument->level > 1 ? 64 : bits_of(pointed, &argument->fundamental);
    if (argument->level > 1)
        argument->fundamental = 'i';
    *(argument->level ? &argument->element_bits : &argument->bits) = bits;
    argument->integer = argument->level == 0 && argument->fundamental == 'i' && bits > 0;
}

/* The end of one argument of the list: a comma or the closing parenthesis
 * outside of brackets. */
static const char *argument_end(const char *text)
{
    int depth = 0;
    for (; *text; text++) {
        if (depth == 0 && (*text == ',' || *text == ')'))
            return text;
        if (strchr("([{<", *text))
            depth++;
        else if (strchr(")]}>", *text))
            depth--;
    }
    return text;
}

/* The end of the type with which the text begins: spaces belong to it inside
 * brackets and before an address space. */
static const char *type_end(const char *text, const char *end)
{
    int depth = 0;
    for (; text < end; text++) {
        if (*text == ' ' && depth == 0 && !map_starts(text, " addrspace("))
            return text;
        if (strchr("([{<", *text))
            depth++;
        else if (strchr(")]}>", *text))
            depth--;
    }
    return end;
}

static void add_argument(struct map_kernel *kernel, const char *begin, const char *end)
{
    const char *name = end;
    while (name > begin && name[-1] != '%' && name[-1] != ' ')
        name--;
    struct map_argument argument = {.name = map_isl_name(name, (size_t)(end - name))};
    argument.type = map_copy(begin, (size_t)(type_end(begin, end) - begin));
    if (map_is_opaque_pointer(argument.type)) {
        struct map_element element = map_find_element(kernel, kernel->argument_count);
        argument.level = 1;
        argument.element_bits = element.bits;
        argument.fundamental = element.fundamental;
    } else {
        map_read_type(&argument);
    }
    char *attributes = map_copy(begin, (size_t)(end - begin));
    if (strstr(attributes, " byval("))
        map_refuse(kernel,
                   "argument %s is a structure passed by value: pass its members "
                   "one by one",
                   argument.name);
    else if (!argument.level && !argument.bits)
        map_refuse(kernel, "argument %s has the type %s: pass numbers and pointers", argument.name,
                   argument.type);
    if (map_find_argument(kernel, argument.name))
        map_refuse(kernel, "two arguments are called %s: rename one", argument.name);
    kernel->arguments = map_grow(kernel->arguments, kernel->argument_count, sizeof argument);
    kernel->arguments[kernel->argument_count++] = argument;
}

void map_read_arguments(struct map_kernel *kernel, const char *define)
{
    const char *text = strchr(define, '@');
    text = text ? strchr(text, '(') : NULL;
    if (!text)
        map_fail("kernel %s: its definition has no arguments", kernel->name);
    text++;
    while (*text && *text != ')') {
        const char *end = argument_end(text);
        add_argument(kernel, text, end);
        text = *end == ',' ? end + 1 : end;
        while (*text == ' ')
            text++;
    }
}
