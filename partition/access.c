/* access.c: from a launch's numbers to the intervals of elements. */
#include <isl/ctx.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/error.h"

#include "access_internal.h"

static void start(const struct partition_kernel *kernel)
{
    isl_ctx_reset_error(kernel->space->isl);
    isl_ctx_reset_operations(kernel->space->isl);
}

/* A kernel whose index is an int, as most are, has negative indices behind the largest; the
 * analysis does not. */
static bool indices_are_distinct(const struct partition_shape *shape)
{
    for (int d = 0; d < 3; d++)
        if ((uint64_t)shape->grid[d] * shape->block[d] > (uint64_t)INT32_MAX)
            return false;
    return true;
}

static enum dm_status refused(const struct partition_kernel *kernel)
{
    return dm_fail(DM_UNAVAILABLE, "%s", kernel->refusal);
}

enum dm_status partition_check_launch(const struct partition_launch *launch)
{
    const struct partition_kernel *kernel = launch->kernel;
    if (!kernel)
        return dm_fail(DM_INVALID, "the data base has no such kernel");
    if (kernel->refusal)
        return refused(kernel);
    if (!indices_are_distinct(launch->shape))
        return dm_fail(DM_UNAVAILABLE, "it has more threads along a dimension than a signed index "
                                       "of 32 bits can tell apart");
    start(kernel);
    for (size_t i = 0; i < kernel->space->invalid_count; i++) {
        bool is_invalid;
        TRY(access_conditions_hold(kernel->space->invalid[i], launch, &is_invalid));
        if (is_invalid)
            return dm_fail(DM_UNAVAILABLE,
                           "an assumption of its analysis does not hold for these arguments");
    }
    return DM_OK;
}

/* ---- one access ---- */

struct request {
    const struct partition_launch *launch;
    const struct partition_part *part;
    enum partition_access method;
    struct access_target *target;
    struct access_box_list *boxes;
    double linear_s;
};

/* The bounds of a size of the array. */
static enum dm_status bound_size(const struct request *request, const struct access_map *size,
                                 int64_t *smallest, int64_t *largest, bool *good)
{
    struct access_box_list box = {0};
    isl_map *map;
    enum dm_status status =
        access_direct(request->launch, request->part, size->form, true, &box, good);
    if (*good && box.count == 1) {
        *smallest = box.items->lower[0];
        *largest = box.items->upper[0];
    }
    *good = *good && box.count == 1;
    free(box.items);
    if (status != DM_OK || *good)
        return status;
    TRY(access_fix_map(request->launch, isl_map_copy(size->map), &map));
    isl_set *value = isl_map_range(map);
    *good = access_bounds(value, 0, smallest, largest);
    isl_set_free(value);
    return DM_OK;
}

/* Elements from an index to the next, of each dimension. */
static enum dm_status find_pitches(const struct request *request, const struct access_maps *maps)
{
    struct access_target *target = request->target;
    size_t dims = target->dims;
    target->pitch[dims - 1] = 1;
    for (size_t d = dims - 1; d > 0; d--) {
        int64_t smallest, size;
        bool good;
        TRY(bound_size(request, &maps->sizes[d - 1], &smallest, &size, &good));
        if (!good || smallest != size ||
            __builtin_mul_overflow(target->pitch[d], size, &target->pitch[d - 1]))
            return dm_fail(DM_UNAVAILABLE, "the size of dimension %zu is no number", d);
    }
    return DM_OK;
}

static bool is_bounded(isl_set *set, size_t dims)
{
    for (size_t d = 0; d < dims; d++)
        if (isl_set_dim_is_bounded(set, isl_dim_set, (unsigned)d) != isl_bool_true)
            return false;
    return true;
}

/* The elements of a map of the part's threads, all of which are bounded. Takes `image`. */
static enum dm_status add_image(struct request *request, isl_map *restricted, isl_set *image)
{
    struct access_target *target = request->target;
    enum dm_status status = DM_OK;
    struct access_box box;
    bool found = false;
    if (request->method == PARTITION_BOXES) {
        found = access_is_box(image, target->dims, target->write, &box);
        if (found)
            status = access_keep_box(request->boxes, &box);
        else
            status = access_by_threads(request->launch, restricted, target, request->boxes, &found);
    }
    if (status != DM_OK || found) {
        isl_set_free(image);
        return status;
    }
    double start_s = clock_now_s();
    status = access_by_pieces(target, image, request->method, request->boxes);
    if (request->method != PARTITION_BOXES)
        request->linear_s += clock_now_s() - start_s;
    return status;
}

static enum dm_status add_restricted(struct request *request, isl_map *restricted)
{
    struct access_target *target = request->target;
    isl_set *image = isl_map_range(isl_map_copy(restricted));
    bool is_empty = isl_set_is_empty(image) == isl_bool_true;
    if (!is_empty && is_bounded(image, target->dims))
        return add_image(request, restricted, image);
    isl_set_free(image);
    if (is_empty)
        return DM_OK;
    target->unbounded = true;
    return dm_fail(DM_UNAVAILABLE, "it accesses elements without bound");
}

static enum dm_status add_map(struct request *request, isl_map *map)
{
    isl_map *restricted;
    TRY(access_restrict(request->launch, request->part, map, &restricted));
    enum dm_status status = add_restricted(request, restricted);
    isl_map_free(restricted);
    return status;
}

static enum dm_status add_maps(struct request *request, const struct access_list *list)
{
    if (request->method != PARTITION_BOXES)
        return add_map(request, list->all);
    for (size_t i = 0; i < list->count; i++) {
        bool found;
        TRY(access_direct(request->launch, request->part, list->each[i].form,
                          request->target->write, request->boxes, &found));
        if (!found)
            TRY(add_map(request, list->each[i].map));
    }
    return DM_OK;
}

static enum dm_status add_boxes(struct request *request)
{
    double start_s = clock_now_s();
    struct access_box_list *boxes = request->boxes;
    boxes->count = access_weave(boxes->items, boxes->count, request->target->dims);
    enum dm_status status = access_emit_boxes(request->target, boxes->items, boxes->count);
    if (status == DM_OK)
        partition_intervals_normalise(request->target->out);
    request->linear_s += clock_now_s() - start_s;
    return status;
}

static enum dm_status collect(struct request *request, const struct access_list *list,
                              enum partition_extent *extent)
{
    struct access_target *target = request->target;
    enum dm_status status = add_maps(request, list);
    if (status == DM_OK)
        status = add_boxes(request);
    *extent = target->unbounded ? PARTITION_WHOLE : PARTITION_ELEMENTS;
    if (!target->unbounded)
        return status;
    return target->write ? dm_fail(DM_UNAVAILABLE, "it writes elements without bound") : DM_OK;
}

static enum dm_status compute(const struct partition_launch *launch, size_t argument, bool write,
                              const struct partition_part *part, enum partition_access method,
                              struct partition_intervals *out, enum partition_extent *extent,
                              double *linear_s)
{
    const struct partition_argument *described = &launch->kernel->arguments[argument];
    struct access_target target = {.dims = described->dims, .write = write, .out = out};
    struct access_box_list boxes = {0};
    struct request request = {launch, part, method, &target, &boxes, 0};
    TRY(find_pitches(&request, described->maps));
    enum dm_status status = collect(&request, &described->maps->of[write], extent);
    free(boxes.items);
    *linear_s = request.linear_s;
    if (status != DM_OK || *extent != PARTITION_ELEMENTS)
        out->count = 0;
    return status;
}

enum dm_status partition_accesses(const struct partition_launch *launch, size_t argument,
                                  bool write, const struct partition_part *part,
                                  enum partition_access method, struct partition_intervals *set,
                                  enum partition_extent *extent, struct partition_times *times)
{
    const struct partition_kernel *kernel = launch->kernel;
    double start_s = clock_now_s(), linear_s = 0;
    set->count = 0;
    *extent = PARTITION_NOTHING;
    if (kernel->refusal)
        return refused(kernel);
    if (argument >= kernel->argument_count)
        return dm_fail(DM_INVALID, "kernel %s does not have so many arguments", kernel->name);
    const struct partition_argument *described = &kernel->arguments[argument];
    if (write ? !described->writes : !described->reads)
        return DM_OK;
    *extent = !write && described->reads_whole ? PARTITION_WHOLE : PARTITION_ELEMENTS;
    if (*extent == PARTITION_WHOLE || partition_part_is_empty(part))
        return DM_OK;
    start(kernel);
    enum dm_status status = compute(launch, argument, write, part, method, set, extent, &linear_s);
    if (times) {
        times->interval_s += clock_now_s() - start_s;
        times->linear_s += linear_s;
    }
    return status;
}
