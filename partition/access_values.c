/* access_values.c: numbers out of isl. */
#include <isl/ctx.h>
#include <isl/ilp.h>
#include <isl/val.h>

#include "common/error.h"

#include "access_internal.h"

enum dm_status access_too_complicated(void)
{
    return dm_fail(DM_UNAVAILABLE, "its accesses are too complicated to be evaluated");
}

bool access_number(isl_val *value, int64_t *number)
{
    bool good = isl_val_is_int(value) == isl_bool_true;
    if (good) {
        isl_ctx *ctx = isl_val_get_ctx(value);
        isl_ctx_reset_error(ctx);
        *number = isl_val_get_num_si(value);
        good = isl_ctx_last_error(ctx) == isl_error_none;
    }
    isl_val_free(value);
    return good;
}

bool access_bounds(isl_set *set, size_t dim, int64_t *lower, int64_t *upper)
{
    return access_number(isl_set_dim_min_val(isl_set_copy(set), (int)dim), lower) &&
           access_number(isl_set_dim_max_val(isl_set_copy(set), (int)dim), upper);
}
