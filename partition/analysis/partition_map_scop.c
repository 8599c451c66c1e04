/* partition_map_scop.c: Polly's printed scops.
 *
 * The part that matters:
 *     Function: NAME
 *     Context:            followed by a line with all parameters
 *     Assumed Context:    followed by parameters for which the scop holds
 *     Invalid Context:    followed by parameters for which it does not
 *     p0: %N              meaning of the parameters, in their order
 *     Arrays (Bounds as pw_affs) { float MemRef_in[*][ [N] -> { [] -> [(N)] }
 * ]; // Element size 4 } Domain :=           followed by the statement's domain
 *     ReadAccess := [Reduction Type: NONE] [Scalar: 0]    followed by the
 * relation */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "partition_map.h"

struct reader {
    struct map_module *module;
    struct map_lines lines;
    size_t next;
    struct map_kernel *kernel; /* NULL: not ours */
    bool in_bounds;
    isl_set *context, *domain;
};

static const char *following(struct reader *reader)
{
    if (reader->next == reader->lines.count)
        map_fail("%s ends within a scop", reader->lines.path);
    char *line = reader->lines.items[reader->next++];
    size_t length = strlen(line);
    if (length && line[length - 1] == ';')
        line[length - 1] = 0;
    return line;
}

static isl_set *following_set(struct reader *reader)
{
    isl_set *set = isl_set_read_from_str(reader->module->isl, following(reader));
    if (!set)
        map_fail("%s, line %zu: expected a set", reader->lines.path, reader->next);
    return set;
}

static void begin_function(struct reader *reader, const char *name)
{
    reader->kernel = map_find_kernel(reader->module, name, map_name_length(name));
    reader->in_bounds = false;
    if (reader->kernel && reader->kernel->scops++)
        map_refuse(reader->kernel, "Polly sees more than one part in it: some control flow depends "
                                   "on data");
}

/* %head---%launch.end: that block is partition-wrap's own, behind the loops over the grid. What
 * leads to it alone holds all that is in these loops: what is not listed is not executed. */
static void read_region(struct reader *reader, const char *line)
{
    static const char end[] = "---%launch.end";
    size_t length = strlen(line);
    if (length >= strlen(end) && strcmp(line + length - strlen(end), end) == 0)
        reader->kernel->is_seen_whole = reader->kernel->coordinate_count > 0;
}

/* p0: %N */
static void read_parameter(struct reader *reader, const char *line)
{
    struct map_kernel *kernel = reader->kernel;
    size_t number = strtoul(line + 1, NULL, 10);
    const char *name =
        reader->context && number < (size_t)isl_set_dim(reader->context, isl_dim_param)
            ? isl_set_get_dim_name(reader->context, isl_dim_param, (unsigned)number)
            : NULL;
    if (!name)
        map_fail("%s, line %zu: no such parameter", reader->lines.path, reader->next);
    const char *expression = strchr(line, ':') + 1;
    while (*expression == ' ')
        expression++;
    struct map_parameter parameter = {.name = map_copy(name, strlen(name)),
                                      .expression = map_copy(expression, strlen(expression))};
    map_classify_parameter(kernel, reader->module->isl, &parameter);
    kernel->parameters = map_grow(kernel->parameters, kernel->parameter_count, sizeof parameter);
    kernel->parameters[kernel->parameter_count++] = parameter;
}

/* The inner dimensions: [ ... ] follow one another and hold brackets of their
 * own. */
static void read_sizes(struct map_argument *argument, const char *text)
{
    while (*text == '[') {
        const char *begin = ++text;
        for (int depth = 1; *text && depth > 0; text++)
            depth += (*text == '[') - (*text == ']');
        const char *end = text - 1;
        while (begin < end && *begin == ' ')
            begin++;
        while (end > begin && end[-1] == ' ')
            end--;
        argument->sizes = map_grow(argument->sizes, argument->size_count, sizeof *argument->sizes);
        argument->sizes[argument->size_count++] = map_copy(begin, (size_t)(end - begin));
    }
}

/* float MemRef_in[*][ [N] -> { [] -> [(N)] } ]; // Element size 4 */
static void read_array(struct reader *reader, const char *line)
{
    const char *array = strstr(line, " MemRef_"), *size = strstr(line, "// Element size ");
    if (!array || !size)
        return;
    array += strlen(" MemRef_");
    size_t length = map_name_length(array);
    struct map_argument *argument = map_find_argument(reader->kernel, map_copy(array, length));
    if (!argument || !map_starts(array + length, "[*]"))
        return;
    read_sizes(argument, array + length + strlen("[*]"));
    argument->element_bits = 8 * (unsigned)strtoul(size + strlen("// Element size "), NULL, 10);
    argument->fundamental = map_starts(line, "float ")    ? 'f'
                            : map_starts(line, "double ") ? 'd'
                            : map_starts(line, "half ")   ? 'h'
                                                          : 'i';
}

static void read_domain(struct reader *reader)
{
    isl_set_free(reader->domain);
    reader->domain = following_set(reader);
}

static void read_access(struct reader *reader, const char *line)
{
    enum map_access_kind kind = map_starts(line, "Read")   ? MAP_READ
                                : map_starts(line, "Must") ? MAP_MUST_WRITE
                                                           : MAP_MAY_WRITE;
    bool is_scalar = strstr(line, "[Scalar: 1]");
    const char *text = following(reader);
    if (is_scalar)
        return;
    isl_map *relation = isl_map_read_from_str(reader->module->isl, text);
    if (!relation || !reader->domain)
        map_fail("%s, line %zu: expected an access of a statement", reader->lines.path,
                 reader->next);
    map_add_access(reader->kernel, kind, relation, reader->domain);
}

static void read_line(struct reader *reader, const char *line)
{
    if (map_starts(line, "Context:")) {
        isl_set_free(reader->context);
        reader->context = following_set(reader);
    } else if (map_starts(line, "Assumed Context:"))
        map_add_invalid(reader->kernel, isl_set_complement(following_set(reader)));
    else if (map_starts(line, "Invalid Context:"))
        map_add_invalid(reader->kernel, following_set(reader));
    else if (map_starts(line, "Region:"))
        read_region(reader, line);
    else if (line[0] == 'p' && isdigit((unsigned char)line[1]) && strchr(line, ':'))
        read_parameter(reader, line);
    else if (map_starts(line, "Arrays (Bounds"))
        reader->in_bounds = true;
    else if (line[0] == '}')
        reader->in_bounds = false;
    else if (reader->in_bounds)
        read_array(reader, line);
    else if (strstr(line, "Domain :="))
        read_domain(reader);
    else if (strstr(line, "Access :="))
        read_access(reader, line);
}

void map_read_scops(struct map_module *module, const char *path)
{
    static const char function[] = "Function: ";
    struct reader reader = {.module = module, .lines = map_read_lines(path)};
    while (reader.next < reader.lines.count) {
        const char *line = reader.lines.items[reader.next++];
        if (map_starts(line, function))
            begin_function(&reader, line + strlen(function));
        else if (reader.kernel && reader.kernel->scops == 1)
            read_line(&reader, line);
    }
    isl_set_free(reader.context);
    isl_set_free(reader.domain);
    for (size_t i = 0; i < module->kernel_count; i++)
        map_finish_kernel(&module->kernels[i], module->isl);
}
