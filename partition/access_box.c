/* access_box.c: sets that are products of intervals, or of arithmetic sequences. */
#include <isl/aff.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

#include "access_internal.h"

static isl_set *add_stride(isl_set *set, size_t dim, int64_t first, int64_t stride)
{
    isl_ctx *ctx = isl_set_get_ctx(set);
    isl_local_space *space = isl_local_space_from_space(isl_set_get_space(set));
    isl_aff *distance = isl_aff_var_on_domain(space, isl_dim_set, (unsigned)dim);
    distance = isl_aff_add_constant_val(distance, isl_val_neg(isl_val_int_from_si(ctx, first)));
    distance = isl_aff_mod_val(distance, isl_val_int_from_si(ctx, stride));
    return isl_set_intersect(set, isl_set_from_basic_set(isl_aff_zero_basic_set(distance)));
}

static isl_set *box_set(isl_space *space, size_t dims, const struct access_box *box)
{
    isl_set *set = isl_set_universe(space);
    isl_ctx *ctx = isl_set_get_ctx(set);
    for (size_t d = 0; d < dims; d++) {
        unsigned dim = (unsigned)d;
        isl_val *lower = isl_val_int_from_si(ctx, box->lower[d]);
        isl_val *upper = isl_val_int_from_si(ctx, box->upper[d]);
        set = isl_set_lower_bound_val(set, isl_dim_set, dim, lower);
        set = isl_set_upper_bound_val(set, isl_dim_set, dim, upper);
        if (box->stride[d] > 1)
            set = add_stride(set, d, box->lower[d], box->stride[d]);
    }
    return set;
}

static bool fills_box(isl_set *set, size_t dims, const struct access_box *box)
{
    isl_set *filled = box_set(isl_set_get_space(set), dims, box);
    bool fills = isl_set_is_subset(filled, set) == isl_bool_true;
    isl_set_free(filled);
    return fills;
}

/* By its bounds the set lies in its box, but strides of several dimensions may depend on one
 * another, as on a checkerboard. */
static bool is_strided_box(isl_set *set, size_t dims, const struct access_box *box)
{
    isl_set *filled = box_set(isl_set_get_space(set), dims, box);
    bool equal = isl_set_is_equal(filled, set) == isl_bool_true;
    isl_set_free(filled);
    return equal;
}

static bool has_strides(isl_set *set, size_t dims, struct access_box *box)
{
    bool any = false;
    for (size_t d = 0; d < dims; d++) {
        if (!access_number(isl_set_get_stride(set, (int)d), &box->stride[d]))
            return false;
        if (box->stride[d] < 1 || box->lower[d] == box->upper[d])
            box->stride[d] = 1;
        any |= box->stride[d] > 1;
    }
    return any;
}

bool access_is_box(isl_set *set, size_t dims, bool write, struct access_box *box)
{
    for (size_t d = 0; d < dims; d++) {
        box->stride[d] = 1;
        if (!access_bounds(set, d, &box->lower[d], &box->upper[d]))
            return false;
    }
    if (fills_box(set, dims, box))
        return true;
    if (!has_strides(set, dims, box) || !is_strided_box(set, dims, box))
        return false;
    if (!write)
        box->stride[dims - 1] = 1;
    return true;
}
