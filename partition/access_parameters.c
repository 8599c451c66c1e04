/* access_parameters.c: at a launch every parameter of the maps is a number. */
#include <isl/val.h>
#include <string.h>

#include "common/error.h"

#include "access_internal.h"
#include "expression.h"

/* launch_size_x, launch_block_x, launch_grid_x and their like. */
static bool launch_parameter(const struct partition_shape *shape, const char *name, int64_t *value)
{
    static const char *const kinds[] = {"launch_size_", "launch_block_", "launch_grid_"};
    for (int kind = 0; kind < 3; kind++) {
        size_t length = strlen(kinds[kind]);
        if (strncmp(name, kinds[kind], length) != 0)
            continue;
        int dimension = name[length] - 'x';
        if (dimension < 0 || dimension > 2 || name[length + 1] != 0)
            return false;
        int64_t grid = shape ? shape->grid[dimension] : 1;
        int64_t block = shape ? shape->block[dimension] : 1;
        *value = kind == 0 ? grid * block : kind == 1 ? block : grid;
        return true;
    }
    return false;
}

static bool scalar_parameter(const struct partition_launch *launch, const char *name,
                             int64_t *value)
{
    const struct partition_kernel *kernel = launch->kernel;
    for (size_t i = 0; i < kernel->argument_count; i++) {
        const struct partition_argument *argument = &kernel->arguments[i];
        if (argument->level > 0 || argument->fundamental != 'i' || strcmp(argument->name, name))
            continue;
        *value = launch->scalars ? launch->scalars[i] : 0;
        return true;
    }
    return false;
}

/* What `define` does not give, and definitions are made of. */
static enum dm_status plain_parameter(const void *context, const char *name, int64_t *value)
{
    const struct partition_launch *launch = context;
    if (launch_parameter(launch->shape, name, value) || scalar_parameter(launch, name, value))
        return DM_OK;
    return dm_fail(DM_INVALID, "%.80s is neither an integer argument, nor launch_, nor defined",
                   name);
}

enum dm_status access_evaluate(const struct partition_launch *launch, const char *expression,
                               int64_t *value)
{
    return expression_evaluate(expression, plain_parameter, launch, value);
}

enum dm_status access_parameter(const struct partition_launch *launch, const char *name,
                                int64_t *value)
{
    const struct kernel_space *space = launch->kernel->space;
    for (size_t i = 0; i < space->definition_count; i++)
        if (strcmp(space->definitions[i].name, name) == 0)
            return access_evaluate(launch, space->definitions[i].expression, value);
    return plain_parameter(launch, name, value);
}

/* Fixes the parameters that the map involves. */
static enum dm_status fix_parameters(const struct partition_launch *launch, isl_map **map)
{
    isl_size count = isl_map_dim(*map, isl_dim_param);
    for (isl_size i = 0; i < count; i++) {
        int64_t value;
        if (!isl_map_involves_dims(*map, isl_dim_param, (unsigned)i, 1))
            continue;
        TRY(access_parameter(launch, isl_map_get_dim_name(*map, isl_dim_param, (unsigned)i),
                             &value));
        isl_val *number = isl_val_int_from_si(isl_map_get_ctx(*map), value);
        *map = isl_map_fix_val(*map, isl_dim_param, (unsigned)i, number);
    }
    if (count > 0)
        *map = isl_map_project_out(*map, isl_dim_param, 0, (unsigned)count);
    return *map ? DM_OK : dm_fail(DM_UNAVAILABLE, "a map cannot be evaluated for these arguments");
}

enum dm_status access_fix_map(const struct partition_launch *launch, isl_map *map, isl_map **fixed)
{
    enum dm_status status = fix_parameters(launch, &map);
    if (status != DM_OK)
        map = isl_map_free(map);
    *fixed = map;
    return status;
}
