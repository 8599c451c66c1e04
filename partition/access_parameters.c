/* access_parameters.c: at a launch every parameter of the maps is a number. */
#include <isl/val.h>
#include <stdio.h>
#include <string.h>

#include "access_internal.h"
#include "expression.h"

/* launch_size_x, launch_block_x, launch_grid_x and their like. */
static bool launch_parameter(const struct launch_shape *shape, const char *name, int64_t *value)
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

static bool scalar_parameter(const struct access_launch *launch, const char *name, int64_t *value)
{
    const struct database_kernel *kernel = launch->kernel;
    for (size_t i = 0; i < kernel->argument_count; i++) {
        const struct database_argument *argument = &kernel->arguments[i];
        if (argument->level > 0 || argument->fundamental != 'i' || strcmp(argument->name, name))
            continue;
        *value = launch->scalars ? launch->scalars[i] : 0;
        return true;
    }
    return false;
}

/* What `define` does not give, and definitions are made of. */
static bool plain_parameter(void *context, const char *name, int64_t *value,
                            char reason[PARTITION_REASON])
{
    const struct access_launch *launch = context;
    if (launch_parameter(launch->shape, name, value) || scalar_parameter(launch, name, value))
        return true;
    snprintf(reason, PARTITION_REASON,
             "%.80s is neither an integer argument, nor launch_, nor defined", name);
    return false;
}

bool access_evaluate(const struct access_launch *launch, const char *expression, int64_t *value,
                     char reason[PARTITION_REASON])
{
    return expression_evaluate(expression, plain_parameter, (void *)launch, value, reason);
}

bool access_parameter(const struct access_launch *launch, const char *name, int64_t *value,
                      char reason[PARTITION_REASON])
{
    const struct kernel_space *space = launch->kernel->space;
    for (size_t i = 0; i < space->definition_count; i++)
        if (strcmp(space->definitions[i].name, name) == 0)
            return access_evaluate(launch, space->definitions[i].expression, value, reason);
    return plain_parameter((void *)launch, name, value, reason);
}

isl_map *access_fix_map(const struct access_launch *launch, isl_map *map,
                        char reason[PARTITION_REASON])
{
    isl_size count = isl_map_dim(map, isl_dim_param);
    for (isl_size i = 0; i < count; i++) {
        int64_t value;
        if (!isl_map_involves_dims(map, isl_dim_param, (unsigned)i, 1))
            continue;
        if (!access_parameter(launch, isl_map_get_dim_name(map, isl_dim_param, (unsigned)i), &value,
                              reason)) {
            isl_map_free(map);
            return NULL;
        }
        isl_val *number = isl_val_int_from_si(isl_map_get_ctx(map), value);
        map = isl_map_fix_val(map, isl_dim_param, (unsigned)i, number);
    }
    if (count > 0)
        map = isl_map_project_out(map, isl_dim_param, 0, (unsigned)count);
    if (!map)
        snprintf(reason, PARTITION_REASON, "a map cannot be evaluated for these arguments");
    return map;
}

isl_set *access_fix_set(const struct access_launch *launch, isl_set *set,
                        char reason[PARTITION_REASON])
{
    isl_map *map = access_fix_map(launch, isl_map_from_range(set), reason);
    return map ? isl_map_range(map) : NULL;
}
