/* access_dependence.c: the arguments whose values decide what a kernel accesses. */
#include <string.h>

#include "access_internal.h"
#include "expression.h"

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) && length; at++)
        if ((at == text || !expression_is_name(at[-1])) && !expression_is_name(at[length]))
            return true;
    return false;
}

/* Whether the value of a parameter of the maps depends on the argument. */
static bool stands_for(const struct kernel_space *space, const char *parameter,
                       const char *argument)
{
    for (size_t i = 0; i < space->definition_count; i++)
        if (!strcmp(space->definitions[i].name, parameter))
            return has_word(space->definitions[i].expression, argument);
    return !strcmp(parameter, argument);
}

static bool map_depends(const struct kernel_space *space, isl_map *map, const char *argument)
{
    isl_size count = isl_map_dim(map, isl_dim_param);
    for (isl_size i = 0; i < count; i++)
        if (isl_map_involves_dims(map, isl_dim_param, (unsigned)i, 1) &&
            stands_for(space, isl_map_get_dim_name(map, isl_dim_param, (unsigned)i), argument))
            return true;
    return count < 0;
}

static bool invalid_depends(const struct kernel_space *space, const char *argument)
{
    bool depends = false;
    for (size_t i = 0; i < space->invalid_count && !depends; i++)
        depends = map_depends(space, access_conditions_map(space->invalid[i]), argument);
    return depends;
}

static bool list_depends(const struct kernel_space *space, const struct access_list *list,
                         const char *argument)
{
    for (size_t i = 0; i < list->count; i++)
        if (map_depends(space, list->each[i].map, argument))
            return true;
    return list->all && map_depends(space, list->all, argument);
}

static bool maps_depend(const struct kernel_space *space, const struct access_maps *maps,
                        const char *argument)
{
    for (size_t i = 0; i < maps->size_count; i++)
        if (map_depends(space, maps->sizes[i].map, argument))
            return true;
    return list_depends(space, &maps->of[0], argument) ||
           list_depends(space, &maps->of[1], argument);
}

static bool accesses_depend(const struct partition_kernel *kernel, const char *argument)
{
    bool depends = invalid_depends(kernel->space, argument);
    for (size_t i = 0; i < kernel->argument_count && !depends; i++)
        depends = kernel->arguments[i].maps &&
                  maps_depend(kernel->space, kernel->arguments[i].maps, argument);
    return depends;
}

void access_find_dependence(struct partition_kernel *kernel)
{
    for (size_t i = 0; i < kernel->argument_count; i++) {
        struct partition_argument *argument = &kernel->arguments[i];
        argument->decides = !argument->level && argument->fundamental == 'i' &&
                            accesses_depend(kernel, argument->name);
    }
}
