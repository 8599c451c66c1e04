/* partition_map_access.c: accesses of a scop become those of arguments, or
 * reasons to refuse. */
#include <ctype.h>
#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/val.h>
#include <string.h>

#include "partition_map.h"

static bool is_local(const struct map_kernel *kernel, const char *name)
{
    if (map_starts(name, "launch_sink"))
        return true;
    for (size_t i = 0; i < kernel->local_count; i++)
        if (strcmp(kernel->locals[i], name) == 0)
            return true;
    return false;
}

static bool is_constant_array(const struct map_kernel *kernel, const char *name)
{
    for (size_t i = 0; i < kernel->constant_count; i++)
        if (strcmp(kernel->constants[i], name) == 0)
            return true;
    return false;
}

/* The array's name: MemRef_NAME, or MemRef and a number if what it points to
 * has none. */
static const char *array_name(isl_map *relation, bool *is_named)
{
    static const char prefix[] = "MemRef";
    const char *name = isl_map_get_tuple_name(relation, isl_dim_out);
    if (!name || !map_starts(name, prefix))
        map_fail("an access has no array");
    name += strlen(prefix);
    *is_named = *name == '_';
    return *is_named ? name + 1 : name;
}

/* Memory that is no argument's is fine if it is the thread's own or never
 * changes. */
static void judge_other_array(struct map_kernel *kernel, bool is_read, const char *name,
                              bool is_named)
{
    bool is_constant =
        is_read && (is_named ? is_constant_array(kernel, name) : kernel->reads_constants);
    if (is_constant || (is_named && is_local(kernel, name)))
        return;
    map_refuse(kernel,
               "%s %s%s, which is no argument: pass the array as an argument and "
               "index it",
               is_read ? "reads" : "writes", is_named ? "" : "memory without a name, array ", name);
}

/* Only where an access lands counts, not in which turn of the kernel's own
 * loops. */
static isl_map *from_threads(const struct map_kernel *kernel, isl_map *relation)
{
    if (!relation)
        return NULL;
    unsigned coordinates = (unsigned)kernel->coordinate_count;
    unsigned loops = (unsigned)isl_map_dim(relation, isl_dim_in) - coordinates;
    relation = isl_map_project_out(relation, isl_dim_in, coordinates, loops);
    if (isl_map_has_tuple_id(relation, isl_dim_in))
        relation = isl_map_reset_tuple_id(relation, isl_dim_in);
    for (unsigned i = 0; i < coordinates; i++)
        relation = isl_map_set_dim_name(relation, isl_dim_in, i, kernel->coordinates[i]);
    return relation;
}

static const struct map_parameter *unknown_in(const struct map_kernel *kernel, isl_map *map)
{
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const struct map_parameter *parameter = &kernel->parameters[i];
        int place = isl_map_find_dim_by_name(map, isl_dim_param, parameter->name);
        if (parameter->meaning == MAP_UNKNOWN && place >= 0 &&
            isl_map_involves_dims(map, isl_dim_param, (unsigned)place, 1))
            return parameter;
    }
    return NULL;
}

/* Whether index `dimension` ends at the largest number of a type, or near it, as a loop that leaves
 * earlier has it, whatever the parameters are. */
static bool is_any_of_type(isl_set *range, unsigned dimension)
{
    enum { NEAR_LARGEST = 4096 };
    isl_set *index = isl_set_project_out_all_params(isl_set_copy(range));
    isl_local_space *space = isl_local_space_from_space(isl_set_get_space(index));
    isl_aff *at = isl_aff_var_on_domain(space, isl_dim_set, dimension);
    isl_val *largest = isl_set_max_val(index, at);
    bool is_any = largest && isl_val_is_int(largest) &&
                  isl_val_cmp_si(largest, INT32_MAX - NEAR_LARGEST) >= 0;
    isl_val_free(largest);
    isl_aff_free(at);
    isl_set_free(index);
    return is_any;
}

static bool is_bounded(isl_map *map)
{
    isl_set *range = isl_map_range(isl_map_copy(map));
    bool bounded = isl_set_is_bounded(range) == isl_bool_true;
    for (unsigned d = 0; bounded && d < (unsigned)isl_set_dim(range, isl_dim_set); d++)
        bounded = !is_any_of_type(range, d);
    isl_set_free(range);
    return bounded;
}

static void judge_write(struct map_kernel *kernel, const struct map_argument *argument,
                        isl_map *map)
{
    const struct map_parameter *unknown = unknown_in(kernel, map);
    if (!is_bounded(map))
        map_refuse(kernel,
                   "writes %s at an index that is not an affine function of thread "
                   "indices and "
                   "scalar arguments",
                   argument->name);
    else if (unknown)
        map_refuse(kernel, "what it writes of %s depends on %.60s, which is not known at launch",
                   argument->name, unknown->expression);
}

/* A read that is not known in full may be taken for one of every element. */
static void judge_read(struct map_kernel *kernel, struct map_argument *argument, isl_map *map)
{
    const struct map_parameter *unknown = unknown_in(kernel, map);
    if (argument->whole)
        return;
    if (unknown)
        argument->whole = map_format("what is read depends on %s", unknown->expression);
    else if (!is_bounded(map))
        argument->whole = "the index is not an affine function of thread indices and scalars";
}

/* Of accesses that land alike, the one in the most loops counts. */
static void keep_access(struct map_argument *argument, isl_map *map, bool is_write,
                        unsigned domain_dims)
{
    map = isl_map_drop_unused_params(isl_map_remove_redundancies(map));
    for (size_t i = 0; i < argument->access_count; i++) {
        struct map_access *other = &argument->accesses[i];
        if (other->write == is_write && isl_map_is_equal(other->map, map) == isl_bool_true) {
            isl_map_free(map);
            if (other->domain_dims < domain_dims)
                other->domain_dims = domain_dims;
            return;
        }
    }
    argument->accesses =
        map_grow(argument->accesses, argument->access_count, sizeof *argument->accesses);
    argument->accesses[argument->access_count++] = (struct map_access){map, is_write, domain_dims};
}

/* What may be written is read as well: a part then has the old value of what it leaves as it was,
 * and all of it is up to date where the part ran. */
static void keep_old_value(struct map_kernel *kernel, struct map_argument *argument, isl_map *map,
                           unsigned domain_dims)
{
    judge_read(kernel, argument, map);
    keep_access(argument, isl_map_copy(map), false, domain_dims);
    argument->may_write = true;
}

void map_add_access(struct map_kernel *kernel, enum map_access_kind kind, isl_map *relation,
                    isl_set *domain)
{
    bool is_named, is_read = kind == MAP_READ;
    const char *name = array_name(relation, &is_named);
    struct map_argument *argument = is_named ? map_find_argument(kernel, name) : NULL;
    kernel->scop_accesses++;
    if (!argument)
        judge_other_array(kernel, is_read, name, is_named);
    unsigned domain_dims = (unsigned)isl_set_dim(domain, isl_dim_set);
    bool spans_grid = domain_dims >= kernel->coordinate_count;
    if (!spans_grid)
        map_refuse(kernel, "some of its control flow depends on data, or chooses a pointer: Polly "
                           "sees a part of it only");
    if (!argument || !spans_grid) {
        isl_map_free(relation);
        return;
    }
    name = argument->name; /* the relation's own text goes away */
    isl_map *map = from_threads(kernel, isl_map_intersect_domain(relation, isl_set_copy(domain)));
    if (!map)
        map_fail("kernel %s: an access of %s does not fit its statement", kernel->name, name);
    map = isl_map_set_tuple_name(map, isl_dim_out, name);
    if (is_read)
        judge_read(kernel, argument, map);
    else
        judge_write(kernel, argument, map);
    if (kind == MAP_MAY_WRITE)
        keep_old_value(kernel, argument, map, domain_dims);
    keep_access(argument, map, !is_read, domain_dims);
}
