/* access_maps.c: reads and checks what a data base says in isl's notation. */
#include <isl/ctx.h>
#include <isl/id.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access_internal.h"

enum { MOST_NESTING = 40, MOST_TEXT = 1 << 16 };

__attribute__((format(printf, 2, 3))) static bool refuse(char reason[PARTITION_REASON],
                                                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, PARTITION_REASON, format, arguments);
    va_end(arguments);
    return false;
}

static bool no_memory(char reason[PARTITION_REASON])
{
    return refuse(reason, "there is no memory");
}

/* ---- coordinates and definitions ---- */

static bool has_coordinate(const struct kernel_space *space, char kind, int dimension)
{
    for (size_t i = 0; i < space->coordinate_count; i++)
        if (space->coordinates[i].kind == kind && space->coordinates[i].dimension == dimension)
            return true;
    return false;
}

/* A thread's index in the whole grid, beside its block and its place in it, would be one without
 * relation to them. */
static bool is_unrelated(const struct kernel_space *space, char kind, int dimension)
{
    if (kind == 'g')
        return has_coordinate(space, 'o', dimension) || has_coordinate(space, 'b', dimension) ||
               has_coordinate(space, 't', dimension);
    return has_coordinate(space, 'g', dimension);
}

bool access_add_coordinate(struct kernel_space *space, const char *name,
                           char reason[PARTITION_REASON])
{
    char kind = name[0];
    int dimension = kind ? name[1] - 'x' : -1;
    if (!kind || !strchr("gobt", kind) || dimension < 0 || dimension > 2 || name[2] != 0)
        return refuse(reason, "a coordinate is g, o, b or t and x, y or z, not %.40s", name);
    if (has_coordinate(space, kind, dimension) || is_unrelated(space, kind, dimension))
        return refuse(reason, "coordinate %s is one too many for its dimension", name);
    space->coordinates[space->coordinate_count++] = (struct coordinate){kind, dimension};
    return true;
}

bool access_add_definition(struct kernel_space *space, const char *text,
                           char reason[PARTITION_REASON])
{
    size_t length = strcspn(text, " =");
    const char *expression = text + length;
    expression += strspn(expression, " ");
    if (length == 0 || *expression != '=')
        return refuse(reason, "define takes NAME = EXPRESSION");
    size_t count = space->definition_count + 1;
    struct definition *grown = realloc(space->definitions, count * sizeof *grown);
    if (!grown)
        return no_memory(reason);
    space->definitions = grown;
    struct definition *added = &grown[space->definition_count];
    *added = (struct definition){strndup(text, length), strdup(expression + 1)};
    space->definition_count = count;
    return (added->name && added->expression) || no_memory(reason);
}

/* ---- maps ---- */

/* isl's parser takes the first object of a text, and recurses as deeply as it is nested. */
static bool is_one_object(const char *text)
{
    int depth = 0, objects = 0;
    for (const char *c = text; *c; c++) {
        depth += *c == '(' || *c == '[' || *c == '{';
        depth -= *c == ')' || *c == ']' || *c == '}';
        objects += *c == '{';
        if (depth > MOST_NESTING || depth < 0)
            return false;
    }
    size_t length = strlen(text);
    return depth == 0 && objects == 1 && length < MOST_TEXT && text[length - 1] == '}';
}

static isl_map *read_map(struct isl_ctx *isl, const char *text, char reason[PARTITION_REASON])
{
    isl_ctx_reset_error(isl);
    isl_ctx_reset_operations(isl);
    isl_map *map = is_one_object(text) ? isl_map_read_from_str(isl, text) : NULL;
    if (!map)
        refuse(reason, "no map in isl's notation");
    return map;
}

static bool has_coordinates(isl_map *map, const struct kernel_space *space)
{
    for (size_t i = 0; i < space->coordinate_count; i++) {
        const char *name = isl_map_get_dim_name(map, isl_dim_in, (unsigned)i);
        char wanted[] = {space->coordinates[i].kind, (char)('x' + space->coordinates[i].dimension),
                         0};
        if (name && strcmp(name, wanted) != 0)
            return false;
    }
    return isl_map_dim(map, isl_dim_in) == (isl_size)space->coordinate_count;
}

/* All, or one more of each. */
static bool keep_map(struct access_list *list, isl_map *map, bool each)
{
    if (!each) {
        list->all = map;
        return true;
    }
    isl_map **grown = realloc(list->each, (list->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    list->each = grown;
    list->each[list->count++] = map;
    return true;
}

static struct access_maps *maps_of(struct database_argument *argument)
{
    if (!argument->maps)
        argument->maps = calloc(1, sizeof *argument->maps);
    return argument->maps;
}

bool access_add_map(struct isl_ctx *isl, const struct kernel_space *space,
                    struct database_argument *argument, bool write, bool each, const char *text,
                    char reason[PARTITION_REASON])
{
    if (!maps_of(argument))
        return no_memory(reason);
    isl_map *map = read_map(isl, text, reason);
    if (!map)
        return false;
    bool good = true;
    if (!has_coordinates(map, space))
        good = refuse(reason, "the map does not start from the kernel's coordinates");
    else if (argument->dims == 0 || isl_map_dim(map, isl_dim_out) != (isl_size)argument->dims)
        good = refuse(reason, "the map does not have the array's %u dimensions", argument->dims);
    else if (!keep_map(&argument->maps->of[write], map, each))
        good = no_memory(reason);
    if (!good)
        isl_map_free(map);
    return good;
}

bool access_add_size(struct isl_ctx *isl, struct database_argument *argument, const char *text,
                     char reason[PARTITION_REASON])
{
    struct access_maps *maps = maps_of(argument);
    if (!maps)
        return no_memory(reason);
    if (maps->size_count + 1 >= argument->dims)
        return refuse(reason, "more sizes than an array of %u dimensions has", argument->dims);
    isl_map *size = read_map(isl, text, reason);
    if (!size)
        return false;
    maps->sizes[maps->size_count++] = size;
    return (isl_map_dim(size, isl_dim_in) == 0 && isl_map_dim(size, isl_dim_out) == 1) ||
           refuse(reason, "a size is { [] -> [(EXPRESSION)] }");
}

bool access_set_invalid(struct isl_ctx *isl, struct kernel_space *space, const char *text,
                        char reason[PARTITION_REASON])
{
    isl_ctx_reset_error(isl);
    isl_ctx_reset_operations(isl);
    space->invalid = is_one_object(text) ? isl_set_read_from_str(isl, text) : NULL;
    return (space->invalid && isl_set_dim(space->invalid, isl_dim_set) == 0) ||
           refuse(reason, "no set of parameters in isl's notation");
}

/* ---- a whole kernel ---- */

static bool parameters_known(const struct access_launch *launch, isl_map *map,
                             char reason[PARTITION_REASON])
{
    isl_size count = isl_map_dim(map, isl_dim_param);
    for (isl_size i = 0; i < count; i++) {
        int64_t value;
        const char *name = isl_map_get_dim_name(map, isl_dim_param, (unsigned)i);
        if (!name || !access_parameter(launch, name, &value, reason))
            return false;
    }
    return count >= 0 || refuse(reason, "a map cannot be read");
}

static bool check_list(const struct access_launch *launch, const struct access_list *list,
                       char reason[PARTITION_REASON])
{
    for (size_t i = 0; i < list->count; i++)
        if (!parameters_known(launch, list->each[i], reason))
            return false;
    return !list->all || parameters_known(launch, list->all, reason);
}

static bool check_maps(const struct access_launch *launch, const struct access_maps *maps,
                       char reason[PARTITION_REASON])
{
    for (size_t i = 0; i < maps->size_count; i++)
        if (!parameters_known(launch, maps->sizes[i], reason))
            return false;
    return check_list(launch, &maps->of[0], reason) && check_list(launch, &maps->of[1], reason);
}

bool access_check_kernel(const struct database_kernel *kernel, char reason[PARTITION_REASON])
{
    const struct kernel_space *space = kernel->space;
    struct access_launch launch = {.kernel = kernel};
    int64_t value;
    for (size_t i = 0; i < space->definition_count; i++)
        if (!access_evaluate(&launch, space->definitions[i].expression, &value, reason))
            return false;
    isl_map *invalid = isl_map_from_range(isl_set_copy(space->invalid));
    bool good = parameters_known(&launch, invalid, reason);
    isl_map_free(invalid);
    for (size_t i = 0; good && i < kernel->argument_count; i++)
        if (kernel->arguments[i].maps)
            good = check_maps(&launch, kernel->arguments[i].maps, reason);
    return good;
}

static void free_maps(struct access_maps *maps)
{
    if (!maps)
        return;
    for (size_t i = 0; i < maps->size_count; i++)
        isl_map_free(maps->sizes[i]);
    for (int write = 0; write < 2; write++) {
        for (size_t i = 0; i < maps->of[write].count; i++)
            isl_map_free(maps->of[write].each[i]);
        free(maps->of[write].each);
        isl_map_free(maps->of[write].all);
    }
    free(maps);
}

static void free_space(struct kernel_space *space)
{
    if (!space)
        return;
    for (size_t i = 0; i < space->definition_count; i++) {
        free(space->definitions[i].name);
        free(space->definitions[i].expression);
    }
    free(space->definitions);
    isl_set_free(space->invalid);
    free(space);
}

void access_free_kernel(struct database_kernel *kernel)
{
    for (size_t i = 0; i < kernel->argument_count; i++)
        free_maps(kernel->arguments[i].maps);
    free_space(kernel->space);
}
