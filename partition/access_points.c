/* access_points.c: for every row isl is asked for the first and the last column (Klein's method,
 * section 3.4.2), and sets are listed element by element where rows have gaps. */
#include <isl/point.h>
#include <isl/val.h>

#include "access_internal.h"

struct walk {
    struct access_target *target;
    int64_t index[ACCESS_MOST_DIMS];
};

static bool rows_from(struct walk *walk, isl_set *set, size_t dim)
{
    struct access_target *target = walk->target;
    int64_t lower, upper;
    if (!access_bounds(set, dim, &lower, &upper)) {
        target->unbounded = true;
        return false;
    }
    if (dim + 1 == target->dims) {
        walk->index[dim] = lower;
        return access_emit_row(target, walk->index, upper);
    }
    for (int64_t i = lower; i <= upper; i++) {
        isl_val *at = isl_val_int_from_si(isl_set_get_ctx(set), i);
        isl_set *slice = isl_set_fix_val(isl_set_copy(set), isl_dim_set, (unsigned)dim, at);
        walk->index[dim] = i;
        bool good = isl_set_is_empty(slice) == isl_bool_true || rows_from(walk, slice, dim + 1);
        isl_set_free(slice);
        if (!good)
            return false;
    }
    return true;
}

bool access_by_points(struct access_target *target, isl_set *set)
{
    struct walk walk = {.target = target};
    bool good = rows_from(&walk, set, 0);
    isl_set_free(set);
    return good;
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
    good = good && access_emit_row(walk->target, walk->index, walk->index[dims - 1]);
    return good ? isl_stat_ok : isl_stat_error;
}

bool access_by_elements(struct access_target *target, isl_set *set)
{
    struct walk walk = {.target = target};
    bool good = isl_set_is_bounded(set) == isl_bool_true;
    target->unbounded |= !good;
    good = good && isl_set_foreach_point(set, emit_point, &walk) == isl_stat_ok;
    isl_set_free(set);
    return good;
}
