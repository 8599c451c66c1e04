/* access_threads.c: accesses with gaps, thread by thread.
 *
 * Blocks of 8 rows that are 32 rows apart write rows with gaps, which are no box, not even with a
 * stride. The rows of one thread of each block are: every 32nd. So the access is looked at for each
 * value of one coordinate of the threads, where a block has few of them. */
#include <isl/val.h>

#include "common/error.h"

#include "access_internal.h"

enum { THREADS_MAX = 64 };

/* How many values the coordinate has; 0: it is not that of a thread in its block. */
static int64_t values_of(const struct partition_launch *launch, size_t coordinate)
{
    const struct coordinate *at = &launch->kernel->space->coordinates[coordinate];
    return at->kind == 't' ? launch->shape->block[at->dimension] : 0;
}

/* The image of one value; true if it is empty or a box, which is added. */
static bool add_value(isl_map *map, size_t coordinate, int64_t value,
                      const struct access_target *target, struct access_box_list *boxes,
                      enum dm_status *status)
{
    isl_val *number = isl_val_int_from_si(isl_map_get_ctx(map), value);
    isl_map *fixed = isl_map_fix_val(isl_map_copy(map), isl_dim_in, (unsigned)coordinate, number);
    isl_set *image = isl_map_range(fixed);
    struct access_box box;
    bool is_empty = isl_set_is_empty(image) == isl_bool_true;
    bool good = is_empty || access_is_box(image, target->dims, target->write, &box);
    isl_set_free(image);
    if (good && !is_empty)
        *status = access_keep_box(boxes, &box);
    return good && *status == DM_OK;
}

static bool add_values(isl_map *map, size_t coordinate, int64_t count,
                       const struct access_target *target, struct access_box_list *boxes,
                       enum dm_status *status)
{
    size_t before = boxes->count;
    for (int64_t value = 0; value < count; value++)
        if (!add_value(map, coordinate, value, target, boxes, status)) {
            boxes->count = before;
            return false;
        }
    return true;
}

enum dm_status access_by_threads(const struct partition_launch *launch, isl_map *map,
                                 const struct access_target *target, struct access_box_list *boxes,
                                 bool *found)
{
    enum dm_status status = DM_OK;
    *found = false;
    for (size_t i = 0; i < launch->kernel->space->coordinate_count && !*found; i++) {
        int64_t values = values_of(launch, i);
        if (values > 0 && values <= THREADS_MAX)
            *found = add_values(map, i, values, target, boxes, &status);
        TRY(status);
    }
    return DM_OK;
}
