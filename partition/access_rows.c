/* access_rows.c: first and last column as affine functions of the row, found once by isl; then the
 * rows are walked with integers. */
#include <isl/aff.h>
#include <isl/val.h>

#include "common/error.h"

#include "access_internal.h"

struct bound {
    int64_t constant, factor[ACCESS_MAX_DIMS];
};

struct rows {
    struct access_target *target;
    isl_pw_aff *last; /* of every row */
    isl_set *domain;  /* rows of the piece of `first` */
    struct bound first;
    bool plain; /* no bound needed divisions, all pieces were boxes of rows */
    enum dm_status status;
};

static bool is_plain(isl_aff *function, size_t dims, struct bound *bound)
{
    if (isl_aff_dim(function, isl_dim_div) != 0 ||
        !access_number(isl_aff_get_constant_val(function), &bound->constant))
        return false;
    for (size_t d = 0; d < dims; d++) {
        isl_val *factor = isl_aff_get_coefficient_val(function, isl_dim_in, (int)d);
        if (!access_number(factor, &bound->factor[d]))
            return false;
    }
    return true;
}

static bool evaluate(const struct bound *bound, const int64_t *row, size_t dims, int64_t *value)
{
    *value = bound->constant;
    for (size_t d = 0; d < dims; d++) {
        int64_t part;
        if (__builtin_mul_overflow(bound->factor[d], row[d], &part) ||
            __builtin_add_overflow(*value, part, value))
            return false;
    }
    return true;
}

static enum dm_status emit_row(const struct rows *rows, const struct bound *last, int64_t *index)
{
    size_t column = rows->target->dims - 1;
    int64_t end;
    if (!evaluate(&rows->first, index, column, &index[column]) ||
        !evaluate(last, index, column, &end))
        return dm_fail(DM_UNAVAILABLE, "an index is too large");
    return access_emit_row(rows->target, index, end);
}

static enum dm_status emit_rows(const struct rows *rows, const struct bound *last,
                                const struct access_box *box, size_t dim, int64_t *index)
{
    if (dim + 1 == rows->target->dims)
        return emit_row(rows, last, index);
    for (int64_t i = box->lower[dim]; i <= box->upper[dim]; i += box->stride[dim]) {
        index[dim] = i;
        TRY(emit_rows(rows, last, box, dim + 1, index));
    }
    return DM_OK;
}

static isl_stat take_last(isl_set *domain, isl_aff *function, void *context)
{
    struct rows *rows = context;
    size_t dims = rows->target->dims - 1;
    struct bound last;
    struct access_box box;
    int64_t index[ACCESS_MAX_DIMS];
    domain = isl_set_intersect(domain, isl_set_copy(rows->domain));
    if (isl_set_is_empty(domain) != isl_bool_true) {
        rows->plain = rows->plain && is_plain(function, dims, &last) &&
                      access_is_box(domain, dims, true, &box);
        if (rows->plain)
            rows->status = emit_rows(rows, &last, &box, 0, index);
    }
    isl_set_free(domain);
    isl_aff_free(function);
    return rows->plain && rows->status == DM_OK ? isl_stat_ok : isl_stat_error;
}

static isl_stat take_first(isl_set *domain, isl_aff *function, void *context)
{
    struct rows *rows = context;
    rows->domain = domain;
    rows->plain = rows->plain && is_plain(function, rows->target->dims - 1, &rows->first);
    isl_stat result =
        rows->plain ? isl_pw_aff_foreach_piece(rows->last, take_last, rows) : isl_stat_error;
    isl_set_free(domain);
    isl_aff_free(function);
    return result;
}

static isl_pw_aff *only_function(isl_pw_multi_aff *functions)
{
    isl_pw_aff *function = isl_pw_multi_aff_get_pw_aff(functions, 0);
    isl_pw_multi_aff_free(functions);
    return function;
}

enum dm_status access_by_rows(struct access_target *target, isl_set *set)
{
    if (target->dims == 1)
        return access_by_points(target, set);
    struct rows rows = {.target = target, .plain = true};
    isl_map *columns = isl_map_from_range(isl_set_copy(set));
    columns = isl_map_move_dims(columns, isl_dim_in, 0, isl_dim_out, 0, (unsigned)target->dims - 1);
    isl_pw_aff *first = only_function(isl_map_lexmin_pw_multi_aff(isl_map_copy(columns)));
    rows.last = only_function(isl_map_lexmax_pw_multi_aff(columns));
    bool good = isl_pw_aff_foreach_piece(first, take_first, &rows) == isl_stat_ok;
    isl_pw_aff_free(first);
    isl_pw_aff_free(rows.last);
    if (good || rows.status != DM_OK) {
        isl_set_free(set);
        return rows.status;
    }
    return access_by_points(target, set);
}
