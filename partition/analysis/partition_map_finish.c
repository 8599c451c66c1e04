/* partition_map_finish.c: rules about a kernel as a whole, and unions of its
 * accesses. */
#include <string.h>

#include "partition_map.h"

/* A scop's absence has no reason in Polly's text; these are found in the IR. */
static void judge_scop(struct map_kernel *kernel, isl_ctx *isl)
{
    if (!kernel->ir_accesses && kernel->reduction_count && !kernel->refusal) {
        map_add_invalid(kernel, isl_set_read_from_str(isl, "{ : false }"));
        return;
    }
    if (!kernel->ir_accesses)
        map_refuse(kernel, "accesses no memory: there is nothing to split");
    if (!kernel->scops && !kernel->coordinate_count)
        map_refuse(kernel, "uses no thread or block index: there is nothing to split");
    if (kernel->counters != (1u << kernel->coordinate_count) - 1)
        map_refuse(kernel, "a loop over the grid was simplified away: its accesses are those of "
                           "other threads");
    if (!kernel->scops)
        map_refuse(kernel, "Polly sees no affine loops in it: a loop bound, a break or a "
                           "condition "
                           "depends on data, or an index is a product of variables");
    if (kernel->scop_accesses != kernel->ir_accesses && !kernel->is_seen_whole)
        map_refuse(kernel, "only %zu of its %zu loads and stores are affine", kernel->scop_accesses,
                   kernel->ir_accesses);
}

static bool size_is_known(const struct map_kernel *kernel, isl_ctx *isl, const char *text)
{
    isl_map *size = isl_map_read_from_str(isl, text);
    if (!size)
        map_fail("kernel %s: `%s` is no size", kernel->name, text);
    bool is_known = true;
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        int place = isl_map_find_dim_by_name(size, isl_dim_param, kernel->parameters[i].name);
        if (kernel->parameters[i].meaning == MAP_UNKNOWN && place >= 0 &&
            isl_map_involves_dims(size, isl_dim_param, (unsigned)place, 1))
            is_known = false;
    }
    isl_map_free(size);
    return is_known;
}

/* Without the size of a row nobody knows which element [row, column] is. */
static void judge_sizes(struct map_kernel *kernel, struct map_argument *argument)
{
    for (size_t i = 0; i < argument->size_count && argument->access_count; i++) {
        isl_ctx *isl = isl_map_get_ctx(argument->accesses[0].map);
        if (size_is_known(kernel, isl, argument->sizes[i]))
            continue;
        if (argument->write)
            map_refuse(kernel, "the rows of %s have a length that is not known at launch",
                       argument->name);
        else
            argument->whole = "the length of its rows is not known at launch";
    }
}

/* Every access must have as many indices as the array has dimensions. */
static void judge_shape(struct map_kernel *kernel, const struct map_argument *argument)
{
    for (size_t i = 0; i < argument->access_count; i++)
        if ((size_t)isl_map_dim(argument->accesses[i].map, isl_dim_out) != argument->size_count + 1)
            map_refuse(kernel, "accesses %s as arrays of different numbers of dimensions: use one",
                       argument->name);
}

static void unite(struct map_argument *argument, bool is_write)
{
    isl_map **all = is_write ? &argument->write : &argument->read;
    for (size_t i = 0; i < argument->access_count; i++) {
        if (argument->accesses[i].write != is_write)
            continue;
        isl_map *map = isl_map_copy(argument->accesses[i].map);
        *all = *all ? isl_map_union(*all, map) : map;
    }
    if (*all)
        *all = isl_map_drop_unused_params(isl_map_remove_redundancies(isl_map_coalesce(*all)));
}

/* Values of parameters nobody knows: the scop may be wrong if it is for any of
 * them. */
static void finish_invalid(struct map_kernel *kernel)
{
    for (size_t i = 0; i < kernel->parameter_count && kernel->invalid; i++) {
        int place =
            isl_set_find_dim_by_name(kernel->invalid, isl_dim_param, kernel->parameters[i].name);
        if (kernel->parameters[i].meaning == MAP_UNKNOWN && place >= 0)
            kernel->invalid =
                isl_set_project_out(kernel->invalid, isl_dim_param, (unsigned)place, 1);
    }
    if (kernel->invalid)
        kernel->invalid = isl_set_drop_unused_params(isl_set_coalesce(kernel->invalid));
}

static void finish_argument(struct map_kernel *kernel, struct map_argument *argument)
{
    size_t number = (size_t)(argument - kernel->arguments);
    argument->reduction = number < kernel->reduction_count ? kernel->reductions[number] : NULL;
    judge_shape(kernel, argument);
    if (kernel->refusal)
        return;
    unite(argument, false);
    unite(argument, true);
    judge_sizes(kernel, argument);
    if (argument->write)
        argument->injective = map_is_injective(kernel, argument);
}

/* What does not follow from a loop over the whole grid has that as its reason. */
static void judge_grid_stride(struct map_kernel *kernel)
{
    if (!kernel->refusal || !kernel->grid_stride)
        return;
    kernel->refusal = NULL;
    map_refuse(kernel, "grid-stride loop: launch a thread for each element and drop the loop");
}

void map_finish_kernel(struct map_kernel *kernel, isl_ctx *isl)
{
    judge_scop(kernel, isl);
    judge_grid_stride(kernel);
    finish_invalid(kernel);
    if (kernel->argument_count && !map_find_members(kernel))
        map_fail("kernel %s has other arguments than its members say", kernel->name);
    map_mark_forgotten(kernel);
    for (size_t i = 0; i < kernel->argument_count; i++)
        finish_argument(kernel, &kernel->arguments[i]);
}
