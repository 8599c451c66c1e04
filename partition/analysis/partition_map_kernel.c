/* partition_map_kernel.c: the kernels that were wrapped, and how one is
 * refused. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "partition_map.h"

void map_refuse(struct map_kernel *kernel, const char *format, ...)
{
    if (kernel->refusal)
        return;
    va_list arguments;
    char sentence[512];
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    kernel->refusal = map_copy(sentence, strlen(sentence));
}

struct map_kernel *map_find_kernel(struct map_module *module, const char *name, size_t length)
{
    for (size_t i = 0; i < module->kernel_count; i++)
        if (strlen(module->kernels[i].name) == length &&
            memcmp(module->kernels[i].name, name, length) == 0)
            return &module->kernels[i];
    return NULL;
}

struct map_argument *map_find_argument(struct map_kernel *kernel, const char *name)
{
    for (size_t i = 0; i < kernel->argument_count; i++)
        if (strcmp(kernel->arguments[i].name, name) == 0)
            return &kernel->arguments[i];
    return NULL;
}

bool map_has_coordinate(const struct map_kernel *kernel, char kind, char dimension)
{
    for (size_t i = 0; i < kernel->coordinate_count; i++)
        if (kernel->coordinates[i][0] == kind && kernel->coordinates[i][1] == dimension)
            return true;
    return false;
}

static bool is_coordinate(const char *word, size_t length)
{
    return length == 2 && strchr("gobt", word[0]) && strchr("xyz", word[1]);
}

static struct map_kernel *add_kernel(struct map_module *module, const char *name, size_t length)
{
    module->kernels = map_grow(module->kernels, module->kernel_count, sizeof *module->kernels);
    struct map_kernel *kernel = &module->kernels[module->kernel_count++];
    *kernel = (struct map_kernel){.name = map_copy(name, length)};
    return kernel;
}

/* The list after `coordinates`. */
static bool read_list(struct map_kernel *kernel, const char *text)
{
    size_t length;
    for (; *text == ' '; text += length) {
        length = map_name_length(++text);
        if (!is_coordinate(text, length))
            return false;
        kernel->coordinates =
            map_grow(kernel->coordinates, kernel->coordinate_count, sizeof *kernel->coordinates);
        kernel->coordinates[kernel->coordinate_count++] = map_copy(text, length);
    }
    return *text == 0;
}

static bool read_line(struct map_module *module, const char *line)
{
    static const char list[] = " coordinates";
    bool is_refused = map_starts(line, "refused ");
    if (!is_refused && !map_starts(line, "kernel "))
        return false;
    const char *name = strchr(line, ' ') + 1;
    size_t length = map_name_length(name);
    const char *rest = name + length;
    if (!length || map_find_kernel(module, name, length))
        return false;
    if (is_refused && rest[0] == ' ' && rest[1]) {
        map_refuse(add_kernel(module, name, length), "%s", rest + 1);
        return true;
    }
    if (is_refused || !map_starts(rest, list))
        return false;
    struct map_kernel *kernel = add_kernel(module, name, length);
    kernel->is_wrapped = true;
    return read_list(kernel, rest + strlen(list));
}

/* nonnegative NAME EXPRESSION: the analysis holds only if the expression is not negative. */
static bool read_condition(struct map_module *module, const char *line)
{
    const char *name = strchr(line, ' ') + 1;
    size_t length = map_name_length(name);
    struct map_kernel *kernel = map_find_kernel(module, name, length);
    if (!kernel || name[length] != ' ')
        return false;
    const char *expression = name + length + 1;
    char *parameters = "";
    for (const char *at = expression; *at; at++) {
        length = isalpha((unsigned char)*at) ? map_name_length(at) : 0;
        if (length)
            parameters =
                map_format("%s%s%.*s", parameters, *parameters ? ", " : "", (int)length, at);
        at += length ? length - 1 : 0;
    }
    isl_set *invalid = isl_set_read_from_str(
        module->isl, map_format("[%s] -> { : %s < 0 }", parameters, expression));
    if (invalid)
        map_add_invalid(kernel, invalid);
    return invalid != NULL;
}

void map_add_invalid(struct map_kernel *kernel, isl_set *invalid)
{
    kernel->invalid = kernel->invalid ? isl_set_union(kernel->invalid, invalid) : invalid;
    if (!kernel->invalid)
        map_fail("kernel %s: an assumption is no set of parameters", kernel->name);
}

/* atmost NAME LIMIT EXPRESSION: the expression may hold products of arguments. */
static bool read_bound(struct map_module *module, const char *line)
{
    const char *name = strchr(line, ' ') + 1;
    size_t length = map_name_length(name);
    struct map_kernel *kernel = map_find_kernel(module, name, length);
    char *rest;
    long long limit = kernel && name[length] == ' ' ? strtoll(name + length, &rest, 10) : 0;
    if (limit <= 0 || *rest != ' ' || !rest[1])
        return false;
    char *bound = map_format("bound_%zu", kernel->parameter_count);
    map_add_definition(kernel, bound, rest + 1);
    map_add_invalid(
        kernel, isl_set_read_from_str(module->isl, map_format("[%s] -> { : %s < 0 or %s > %lld }",
                                                              bound, bound, bound, limit)));
    return true;
}

/* Lines that follow once all kernels are known. */
static bool is_about_kernel(const char *line)
{
    return map_starts(line, "nonnegative ") || map_starts(line, "touches ") ||
           map_starts(line, "atmost ") || map_starts(line, "reduces ") ||
           map_starts(line, "element ") || map_starts(line, "member ") ||
           map_starts(line, "whole ");
}

/* touches NAME LETTERS, whole NAME LETTERS */
static bool read_letters(struct map_module *module, const char *line)
{
    const char *name = strchr(line, ' ') + 1;
    size_t length = map_name_length(name);
    struct map_kernel *kernel = map_find_kernel(module, name, length);
    const char *letters = name + length + 1;
    if (!kernel || name[length] != ' ' || !*letters || letters[strspn(letters, "-rw")])
        return false;
    *(map_starts(line, "whole ") ? &kernel->forgotten : &kernel->touches) =
        map_copy(letters, strlen(letters));
    return true;
}

/* reduces NAME ARGUMENT KIND, in the order of the arguments */
static bool read_reduction(struct map_module *module, const char *line)
{
    const char *name = strchr(line, ' ') + 1;
    size_t length = map_name_length(name);
    struct map_kernel *kernel = map_find_kernel(module, name, length);
    char *kind = NULL;
    unsigned long argument =
        kernel && name[length] == ' ' && isdigit((unsigned char)name[length + 1])
            ? strtoul(name + length + 1, &kind, 10)
            : 0;
    if (!kind || *kind != ' ' || !kind[1] || argument > 4096)
        return false;
    while (kernel->reduction_count <= argument) {
        kernel->reductions =
            map_grow(kernel->reductions, kernel->reduction_count, sizeof *kernel->reductions);
        kernel->reductions[kernel->reduction_count++] = NULL;
    }
    kernel->reductions[argument] = map_copy(kind + 1, strlen(kind + 1));
    return true;
}

/* member NAME ARGUMENT STRUCTURE BYTE, for map_find_members */
static bool read_member(struct map_module *module, const char *line)
{
    const char *name = strchr(line, ' ') + 1;
    size_t length = map_name_length(name);
    struct map_kernel *kernel = map_find_kernel(module, name, length);
    if (!kernel || name[length] != ' ')
        return false;
    kernel->members = map_grow(kernel->members, kernel->member_count, sizeof *kernel->members);
    kernel->members[kernel->member_count++] =
        map_copy(name + length + 1, strlen(name + length + 1));
    return true;
}

void map_mark_forgotten(struct map_kernel *kernel)
{
    size_t count = kernel->forgotten ? strlen(kernel->forgotten) : 0;
    if (count)
        kernel->touches = NULL; /* of what is left; that of all is in the earlier data base */
    for (size_t i = 0; i < count && i < kernel->argument_count; i++)
        if (kernel->forgotten[i] == 'r')
            kernel->arguments[i].whole = "only what the kernel writes could be followed";
}

/* element NAME ARGUMENT BITS FUNDAMENTAL, for map_find_element; the first one counts */
static bool read_element(struct map_module *module, const char *line)
{
    const char *name = strchr(line, ' ') + 1;
    size_t length = map_name_length(name);
    struct map_kernel *kernel = map_find_kernel(module, name, length);
    struct map_element element;
    if (!kernel || sscanf(name + length, " %zu %u %c", &element.argument, &element.bits,
                          &element.fundamental) != 3)
        return false;
    kernel->elements = map_grow(kernel->elements, kernel->element_count, sizeof element);
    kernel->elements[kernel->element_count++] = element;
    return strchr("fdhi", element.fundamental) && element.bits % 8 == 0;
}

struct map_element map_find_element(const struct map_kernel *kernel, size_t argument)
{
    for (size_t i = 0; i < kernel->element_count; i++)
        if (kernel->elements[i].argument == argument)
            return kernel->elements[i];
    return (struct map_element){argument, 8, 'i'};
}

bool map_find_members(struct map_kernel *kernel)
{
    for (size_t i = 0; i < kernel->member_count; i++) {
        char *end;
        unsigned long argument = strtoul(kernel->members[i], &end, 10);
        unsigned long whole = strtoul(end, &end, 10), offset = strtoul(end, &end, 10);
        if (*end || argument >= kernel->argument_count || whole >= argument)
            return false;
        kernel->arguments[argument].structure = whole + 1;
        kernel->arguments[argument].offset = offset;
    }
    return true;
}

void map_read_coordinates(struct map_module *module, const char *path)
{
    struct map_lines lines = map_read_lines(path);
    for (size_t i = 0; i < lines.count; i++)
        if (!is_about_kernel(lines.items[i]) && !read_line(module, lines.items[i]))
            map_fail("%s, line %zu: expected `kernel NAME coordinates gy gx ...` or `refused NAME "
                     "WHY`",
                     path, i + 1);
    for (size_t i = 0; i < lines.count; i++) {
        if (map_starts(lines.items[i], "nonnegative ") && !read_condition(module, lines.items[i]))
            map_fail("%s, line %zu: expected `nonnegative NAME EXPRESSION`", path, i + 1);
        if (map_starts(lines.items[i], "atmost ") && !read_bound(module, lines.items[i]))
            map_fail("%s, line %zu: expected `atmost NAME LIMIT EXPRESSION`", path, i + 1);
        if (map_starts(lines.items[i], "member ") && !read_member(module, lines.items[i]))
            map_fail("%s, line %zu: expected `member NAME ARGUMENT STRUCTURE BYTE`", path, i + 1);
        if (map_starts(lines.items[i], "element ") && !read_element(module, lines.items[i]))
            map_fail("%s, line %zu: expected `element NAME ARGUMENT BITS f`", path, i + 1);
        if (map_starts(lines.items[i], "reduces ") && !read_reduction(module, lines.items[i]))
            map_fail("%s, line %zu: expected `reduces NAME ARGUMENT KIND`", path, i + 1);
        bool has_letters =
            map_starts(lines.items[i], "touches ") || map_starts(lines.items[i], "whole ");
        if (has_letters && !read_letters(module, lines.items[i]))
            map_fail("%s, line %zu: expected `touches NAME -rw` or `whole NAME -r`", path, i + 1);
    }
}
