/* access.c: from a launch's numbers to the intervals of elements. */
#include <isl/ctx.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"

#include "access_internal.h"

static enum access_outcome refuse(char reason[PARTITION_REASON], const char *why)
{
    snprintf(reason, PARTITION_REASON, "%s", why);
    return ACCESS_FAILED;
}

static void start(struct database *database)
{
    isl_ctx_reset_error(database->isl);
    isl_ctx_reset_operations(database->isl);
}

/* A kernel whose index has 32 bits, as most have, begins at 0 again behind the last of them; the
 * analysis does not. */
static bool indices_are_distinct(const struct launch_shape *shape)
{
    for (int d = 0; d < 3; d++)
        if ((uint64_t)shape->grid[d] * shape->block[d] > (uint64_t)UINT32_MAX + 1)
            return false;
    return true;
}

bool access_valid(struct database *database, struct database_kernel *kernel, const int64_t *scalars,
                  const struct launch_shape *shape, char reason[PARTITION_REASON])
{
    struct access_launch launch = {kernel, scalars, shape};
    if (!indices_are_distinct(shape)) {
        refuse(reason, "it has more threads along a dimension than an index of 32 bits can tell "
                       "apart");
        return false;
    }
    start(database);
    isl_set *invalid = access_fix_set(&launch, isl_set_copy(kernel->space->invalid), reason);
    if (!invalid)
        return false;
    bool valid = isl_set_is_empty(invalid) == isl_bool_true;
    isl_set_free(invalid);
    if (!valid)
        refuse(reason, "an assumption of its analysis does not hold for these arguments");
    return valid;
}

/* ---- one access ---- */

struct request {
    const struct access_launch *launch;
    const struct grid_part *part;
    enum partition_access method;
    struct access_target *target;
    struct access_box_list *boxes;
    double linear_s;
};

/* Elements from an index to the next, of each dimension. */
static bool find_pitches(const struct access_launch *launch, const struct access_maps *maps,
                         struct access_target *target, char reason[PARTITION_REASON])
{
    size_t dims = target->dims;
    target->pitch[dims - 1] = 1;
    for (size_t d = dims - 1; d > 0; d--) {
        int64_t least, size;
        isl_map *map = access_fix_map(launch, isl_map_copy(maps->sizes[d - 1]), reason);
        if (!map)
            return false;
        isl_set *value = isl_map_range(map);
        bool good = access_bounds(value, 0, &least, &size) && least == size &&
                    !__builtin_mul_overflow(target->pitch[d], size, &target->pitch[d - 1]);
        isl_set_free(value);
        if (!good) {
            snprintf(reason, PARTITION_REASON, "the size of dimension %zu is no number", d);
            return false;
        }
    }
    return true;
}

static bool is_bounded(isl_set *set, size_t dims)
{
    for (size_t d = 0; d < dims; d++)
        if (isl_set_dim_is_bounded(set, isl_dim_set, (unsigned)d) != isl_bool_true)
            return false;
    return true;
}

static bool add_map(struct request *request, isl_map *map, char reason[PARTITION_REASON])
{
    struct access_target *target = request->target;
    isl_set *image = access_image(request->launch, request->part, map, reason);
    if (!image)
        return false;
    if (isl_set_is_empty(image) == isl_bool_true) {
        isl_set_free(image);
        return true;
    }
    if (!is_bounded(image, target->dims)) {
        isl_set_free(image);
        target->unbounded = true;
        return false;
    }
    double start_s = clock_now_s();
    bool good = access_by_pieces(target, image, request->method, request->boxes);
    if (request->method != PARTITION_BOXES)
        request->linear_s += clock_now_s() - start_s;
    return good;
}

static bool add_maps(struct request *request, const struct access_list *list,
                     char reason[PARTITION_REASON])
{
    if (request->method != PARTITION_BOXES)
        return add_map(request, list->all, reason);
    for (size_t i = 0; i < list->count; i++)
        if (!add_map(request, list->each[i], reason))
            return false;
    return true;
}

static bool add_boxes(struct request *request)
{
    double start_s = clock_now_s();
    bool good = access_emit_boxes(request->target, request->boxes->items, request->boxes->count);
    if (good)
        intervals_normalise(request->target->out);
    request->linear_s += clock_now_s() - start_s;
    return good;
}

static enum access_outcome collect(struct request *request, const struct access_list *list,
                                   char reason[PARTITION_REASON])
{
    struct access_target *target = request->target;
    snprintf(reason, PARTITION_REASON, "its accesses are too complicated to be evaluated");
    if (add_maps(request, list, reason) && add_boxes(request))
        return ACCESS_SET;
    if (target->unbounded && !target->write)
        return ACCESS_WHOLE;
    if (target->unbounded)
        snprintf(reason, PARTITION_REASON, "it writes elements without bound");
    else if (target->failure)
        snprintf(reason, PARTITION_REASON, "%s", target->failure);
    return ACCESS_FAILED;
}

static enum access_outcome compute(const struct access_launch *launch, size_t argument, bool write,
                                   const struct grid_part *part, enum partition_access method,
                                   struct intervals *out, double *linear_s,
                                   char reason[PARTITION_REASON])
{
    const struct database_argument *described = &launch->kernel->arguments[argument];
    struct access_target target = {.dims = described->dims, .write = write, .out = out};
    struct access_box_list boxes = {0};
    struct request request = {launch, part, method, &target, &boxes, 0};
    if (!find_pitches(launch, described->maps, &target, reason))
        return ACCESS_FAILED;
    enum access_outcome outcome = collect(&request, &described->maps->of[write], reason);
    free(boxes.items);
    *linear_s = request.linear_s;
    if (outcome != ACCESS_SET)
        out->count = 0;
    return outcome;
}

enum access_outcome access_intervals(struct database *database, struct database_kernel *kernel,
                                     size_t argument, bool write, const int64_t *scalars,
                                     const struct launch_shape *shape, const struct grid_part *part,
                                     enum partition_access method, struct intervals *out,
                                     struct access_times *times, char reason[PARTITION_REASON])
{
    struct access_launch launch = {kernel, scalars, shape};
    double start_s = clock_now_s(), linear_s = 0;
    out->count = 0;
    if (kernel->refusal)
        return refuse(reason, kernel->refusal);
    if (argument >= kernel->argument_count)
        return refuse(reason, "it does not have so many arguments");
    const struct database_argument *described = &kernel->arguments[argument];
    if (write ? !described->writes : !described->reads)
        return ACCESS_NONE;
    if (!write && described->reads_whole)
        return ACCESS_WHOLE;
    if (grid_part_is_empty(part))
        return ACCESS_SET;
    start(database);
    enum access_outcome outcome =
        compute(&launch, argument, write, part, method, out, &linear_s, reason);
    if (times) {
        times->interval_s += clock_now_s() - start_s;
        times->linear_s += linear_s;
    }
    return outcome;
}
