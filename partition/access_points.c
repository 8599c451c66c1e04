/* access_points.c: for every row isl is asked for the first and the last column (Klein's method,
 * section 3.4.2), and sets are listed element by element where rows have gaps. */
#include <isl/point.h>
#include <isl/val.h>

#include "common/error.h"

#include "access_internal.h"

struct walk {
    struct access_target *target;
    int64_t index[ACCESS_MAX_DIMS];
    enum dm_status status;
};

static enum dm_status unbounded(struct access_target *target)
{
    target->unbounded = true;
    return dm_fail(DM_UNAVAILABLE, "it accesses elements without bound");
}

static enum dm_status rows_from(struct walk *walk, isl_set *set, size_t dim)
{
    struct access_target *target = walk->target;
    int64_t lower, upper;
    if (!access_bounds(set, dim, &lower, &upper))
        return unbounded(target);
    if (dim + 1 == target->dims) {
        walk->index[dim] = lower;
        return access_emit_row(target, walk->index, upper);
    }
    for (int64_t i = lower; i <= upper; i++) {
        isl_val *at = isl_val_int_from_si(isl_set_get_ctx(set), i);
        isl_set *slice = isl_set_fix_val(isl_set_copy(set), isl_dim_set, (unsigned)dim, at);
        walk->index[dim] = i;
        bool is_empty = isl_set_is_empty(slice) == isl_bool_true;
        enum dm_status status = is_empty ? DM_OK : rows_from(walk, slice, dim + 1);
        isl_set_free(slice);
        TRY(status);
    }
    return DM_OK;
}

enum dm_status access_by_points(struct access_target *target, isl_set *set)
{
    struct walk walk = {.target = target};
    enum dm_status status = rows_from(&walk, set, 0);
    isl_set_free(set);
    return status;
}

static isl_stat emit_point(isl_point *point, void *context)
{
    struct walk *walk = context;
    size_t dims = walk->target->dims;
    bool good = true;
    for (size_t d = 0; d < dims && good; d++) {
        isl_val *at = isl_point_get_coordinate_val(point, isl_dim_set, (int)d);
        good = access_number(at, &walk->index[d]);
    }
    isl_point_free(point);
    if (good)
        walk->status = access_emit_row(walk->target, walk->index, walk->index[dims - 1]);
    return good && walk->status == DM_OK ? isl_stat_ok : isl_stat_error;
}

enum dm_status access_by_elements(struct access_target *target, isl_set *set)
{
    struct walk walk = {.target = target};
    bool is_bounded = isl_set_is_bounded(set) == isl_bool_true;
    bool good = is_bounded && isl_set_foreach_point(set, emit_point, &walk) == isl_stat_ok;
    isl_set_free(set);
    if (!is_bounded)
        return unbounded(target);
    return good || walk.status != DM_OK ? walk.status : access_too_complicated();
}
