/* access_maps.c: reads and checks what a data base says in isl's notation. */
#include <isl/ctx.h>
#include <isl/id.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "access_internal.h"
#include "affine_text.h"

enum { NESTING_MAX = 40, TEXT_MAX = 1 << 16 };

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

enum dm_status access_add_coordinate(struct kernel_space *space, const char *name)
{
    char kind = name[0];
    int dimension = kind ? name[1] - 'x' : -1;
    if (!kind || !strchr("gobt", kind) || dimension < 0 || dimension > 2 || name[2] != 0)
        return dm_fail(DM_INVALID, "a coordinate is g, o, b or t and x, y or z, not %.40s", name);
    if (has_coordinate(space, kind, dimension) || is_unrelated(space, kind, dimension))
        return dm_fail(DM_INVALID, "coordinate %s is one too many for its dimension", name);
    space->coordinates[space->coordinate_count++] = (struct coordinate){kind, dimension};
    return DM_OK;
}

enum dm_status access_add_definition(struct kernel_space *space, const char *text)
{
    size_t length = strcspn(text, " =");
    const char *expression = text + length;
    expression += strspn(expression, " ");
    if (length == 0 || *expression != '=')
        return dm_fail(DM_INVALID, "define takes NAME = EXPRESSION");
    size_t count = space->definition_count + 1;
    struct definition *grown = realloc(space->definitions, count * sizeof *grown);
    if (!grown)
        return error_no_memory(count * sizeof *grown);
    space->definitions = grown;
    struct definition *added = &grown[space->definition_count];
    *added = (struct definition){strndup(text, length), strdup(expression + 1)};
    space->definition_count = count;
    return added->name && added->expression ? DM_OK : error_no_memory(length + strlen(expression));
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
        if (depth > NESTING_MAX || depth < 0)
            return false;
    }
    size_t length = strlen(text);
    return depth == 0 && objects == 1 && length < TEXT_MAX && text[length - 1] == '}';
}

static void free_map(struct access_map *map)
{
    isl_map_free(map->map);
    affine_form_free(map->form);
}

static enum dm_status read_map(struct isl_ctx *isl, const char *text, struct access_map *map)
{
    isl_ctx_reset_error(isl);
    isl_ctx_reset_operations(isl);
    map->map = affine_text_map(isl, text, &map->form);
    if (!map->map && is_one_object(text))
        map->map = isl_map_read_from_str(isl, text);
    return map->map ? DM_OK : dm_fail(DM_INVALID, "no map in isl's notation");
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
static enum dm_status keep_map(struct access_list *list, struct access_map *map, bool each)
{
    if (!each) {
        list->all = map->map;
        affine_form_free(map->form);
        return DM_OK;
    }
    size_t bytes = (list->count + 1) * sizeof *list->each;
    struct access_map *grown = realloc(list->each, bytes);
    if (!grown)
        return error_no_memory(bytes);
    list->each = grown;
    list->each[list->count++] = *map;
    return DM_OK;
}

static enum dm_status make_maps(struct partition_argument *argument)
{
    if (!argument->maps)
        argument->maps = calloc(1, sizeof *argument->maps);
    return argument->maps ? DM_OK : error_no_memory(sizeof *argument->maps);
}

static enum dm_status check_map(isl_map *map, const struct kernel_space *space,
                                const struct partition_argument *argument)
{
    if (!has_coordinates(map, space))
        return dm_fail(DM_INVALID, "the map does not start from the kernel's coordinates");
    if (argument->dims == 0 || isl_map_dim(map, isl_dim_out) != (isl_size)argument->dims)
        return dm_fail(DM_INVALID, "the map does not have the array's %u dimensions",
                       argument->dims);
    return DM_OK;
}

enum dm_status access_add_map(struct isl_ctx *isl, const struct kernel_space *space,
                              struct partition_argument *argument, bool write, bool each,
                              const char *text)
{
    struct access_map map;
    TRY(make_maps(argument));
    TRY(read_map(isl, text, &map));
    enum dm_status status = check_map(map.map, space, argument);
    if (status == DM_OK)
        status = keep_map(&argument->maps->of[write], &map, each);
    if (status != DM_OK)
        free_map(&map);
    return status;
}

enum dm_status access_add_size(struct isl_ctx *isl, struct partition_argument *argument,
                               const char *text)
{
    struct access_map size;
    TRY(make_maps(argument));
    struct access_maps *maps = argument->maps;
    if (maps->size_count + 1 >= argument->dims)
        return dm_fail(DM_INVALID, "more sizes than an array of %u dimensions has", argument->dims);
    TRY(read_map(isl, text, &size));
    maps->sizes[maps->size_count++] = size;
    if (isl_map_dim(size.map, isl_dim_in) != 0 || isl_map_dim(size.map, isl_dim_out) != 1)
        return dm_fail(DM_INVALID, "a size is { [] -> [(EXPRESSION)] }");
    return DM_OK;
}

static enum dm_status read_parameters(struct isl_ctx *isl, const char *text, isl_map **map)
{
    isl_ctx_reset_error(isl);
    isl_ctx_reset_operations(isl);
    *map = affine_text_parameters(isl, text);
    if (!*map && is_one_object(text))
        *map = isl_map_from_range(isl_set_from_params(isl_set_read_from_str(isl, text)));
    if (*map && isl_map_dim(*map, isl_dim_out) == 0)
        return DM_OK;
    *map = isl_map_free(*map);
    return dm_fail(DM_INVALID, "no set of parameters in isl's notation");
}

enum dm_status access_add_invalid(struct isl_ctx *isl, struct kernel_space *space, const char *text)
{
    isl_map *map;
    const size_t bytes = (space->invalid_count + 1) * sizeof *space->invalid;
    struct access_conditions **grown = realloc(space->invalid, bytes);

    if (!grown)
        return error_no_memory(bytes);
    space->invalid = grown;
    TRY(read_parameters(isl, text, &map));
    TRY(access_conditions_make(map, &grown[space->invalid_count]));
    space->invalid_count++;
    space->isl = isl;
    return DM_OK;
}

/* ---- a whole kernel ---- */

static enum dm_status parameters_known(const struct partition_launch *launch, isl_map *map)
{
    isl_size count = isl_map_dim(map, isl_dim_param);
    for (isl_size i = 0; i < count; i++) {
        int64_t value;
        const char *name = isl_map_get_dim_name(map, isl_dim_param, (unsigned)i);
        TRY(access_parameter(launch, name ? name : "", &value));
    }
    return count >= 0 ? DM_OK : dm_fail(DM_INVALID, "a map cannot be read");
}

static enum dm_status check_list(const struct partition_launch *launch,
                                 const struct access_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        TRY(parameters_known(launch, list->each[i].map));
    return list->all ? parameters_known(launch, list->all) : DM_OK;
}

static enum dm_status check_maps(const struct partition_launch *launch,
                                 const struct access_maps *maps)
{
    for (size_t i = 0; i < maps->size_count; i++)
        TRY(parameters_known(launch, maps->sizes[i].map));
    TRY(check_list(launch, &maps->of[0]));
    return check_list(launch, &maps->of[1]);
}

enum dm_status access_check_kernel(const struct partition_kernel *kernel)
{
    const struct kernel_space *space = kernel->space;
    struct partition_launch launch = {.kernel = kernel};
    int64_t value;
    for (size_t i = 0; i < space->definition_count; i++)
        TRY(access_evaluate(&launch, space->definitions[i].expression, &value));
    for (size_t i = 0; i < space->invalid_count; i++)
        TRY(parameters_known(&launch, access_conditions_map(space->invalid[i])));
    for (size_t i = 0; i < kernel->argument_count; i++)
        if (kernel->arguments[i].maps)
            TRY(check_maps(&launch, kernel->arguments[i].maps));
    return DM_OK;
}

static void free_maps(struct access_maps *maps)
{
    if (!maps)
        return;
    for (size_t i = 0; i < maps->size_count; i++)
        free_map(&maps->sizes[i]);
    for (int write = 0; write < 2; write++) {
        for (size_t i = 0; i < maps->of[write].count; i++)
            free_map(&maps->of[write].each[i]);
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
    for (size_t i = 0; i < space->invalid_count; i++)
        access_conditions_free(space->invalid[i]);
    free(space->invalid);
    free(space);
}

void access_free_kernel(struct partition_kernel *kernel)
{
    for (size_t i = 0; i < kernel->argument_count; i++)
        free_maps(kernel->arguments[i].maps);
    free_space(kernel->space);
}
