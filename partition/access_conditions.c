#include "access_conditions.h"

#include <isl/constraint.h>
#include <isl/val.h>
#include <stdlib.h>

#include "common/error.h"

#include "access_internal.h"

/* coefficients * parameters + constant is 0, or at least 0. */
struct constraint {
    bool is_equality;
    int64_t constant, *coefficients;
};

/* All of them hold. */
struct piece {
    struct constraint *constraints;
    size_t count;
};

/* One of the pieces holds; where some constraint is none of these, isl looks at the map itself. */
struct access_conditions {
    isl_map *map;
    bool is_linear;
    size_t parameter_count, count;
    struct piece *pieces;
};

/* Sums of products with such coefficients do not wrap in 128 bits, whatever the numbers are. */
static bool read_coefficient(isl_val *from, int64_t *coefficient)
{
    return access_number(from, coefficient) && *coefficient >= INT32_MIN &&
           *coefficient <= INT32_MAX;
}

static bool read_constraint(isl_constraint *from, size_t parameters, struct constraint *constraint)
{
    constraint->coefficients = calloc(parameters + 1, sizeof *constraint->coefficients);
    bool good = constraint->coefficients &&
                access_number(isl_constraint_get_constant_val(from), &constraint->constant);
    constraint->is_equality = isl_constraint_is_equality(from) == isl_bool_true;
    for (size_t i = 0; i < parameters && good; i++)
        good = read_coefficient(isl_constraint_get_coefficient_val(from, isl_dim_param, (int)i),
                                &constraint->coefficients[i]);
    return good;
}

static isl_stat take_constraint(isl_constraint *from, void *context)
{
    struct access_conditions *conditions = context;
    struct piece *piece = &conditions->pieces[conditions->count - 1];
    struct constraint *grown =
        realloc(piece->constraints, (piece->count + 1) * sizeof *piece->constraints);
    bool good = grown != NULL;
    if (good) {
        piece->constraints = grown;
        good = read_constraint(from, conditions->parameter_count, &grown[piece->count++]);
    }
    isl_constraint_free(from);
    return good ? isl_stat_ok : isl_stat_error;
}

static isl_stat take_piece(isl_basic_map *from, void *context)
{
    struct access_conditions *conditions = context;
    struct piece *grown =
        realloc(conditions->pieces, (conditions->count + 1) * sizeof *conditions->pieces);
    bool good = grown && isl_basic_map_dim(from, isl_dim_div) == 0;
    if (grown) {
        conditions->pieces = grown;
        grown[conditions->count++] = (struct piece){NULL, 0};
    }
    good =
        good && isl_basic_map_foreach_constraint(from, take_constraint, conditions) == isl_stat_ok;
    isl_basic_map_free(from);
    return good ? isl_stat_ok : isl_stat_error;
}

enum dm_status access_conditions_make(isl_map *map, struct access_conditions **conditions)
{
    isl_size parameters = isl_map_dim(map, isl_dim_param);
    *conditions = calloc(1, sizeof **conditions);
    if (!*conditions || parameters < 0) {
        isl_map_free(map);
        free(*conditions);
        *conditions = NULL;
        return error_no_memory(sizeof **conditions);
    }
    (*conditions)->map = map;
    (*conditions)->parameter_count = (size_t)parameters;
    (*conditions)->is_linear =
        isl_map_foreach_basic_map(map, take_piece, *conditions) == isl_stat_ok;
    isl_ctx_reset_error(isl_map_get_ctx(map));
    return DM_OK;
}

isl_map *access_conditions_map(const struct access_conditions *conditions)
{
    return conditions->map;
}

void access_conditions_free(struct access_conditions *conditions)
{
    if (!conditions)
        return;
    for (size_t i = 0; i < conditions->count; i++) {
        for (size_t c = 0; c < conditions->pieces[i].count; c++)
            free(conditions->pieces[i].constraints[c].coefficients);
        free(conditions->pieces[i].constraints);
    }
    free(conditions->pieces);
    isl_map_free(conditions->map);
    free(conditions);
}

static bool constraint_holds(const struct constraint *constraint, const int64_t *values,
                             size_t count)
{
    __int128 sum = constraint->constant;
    for (size_t i = 0; i < count; i++)
        sum += (__int128)constraint->coefficients[i] * values[i];
    return constraint->is_equality ? sum == 0 : sum >= 0;
}

static bool piece_holds(const struct piece *piece, const int64_t *values, size_t count)
{
    for (size_t i = 0; i < piece->count; i++)
        if (!constraint_holds(&piece->constraints[i], values, count))
            return false;
    return true;
}

static enum dm_status hold_linear(const struct access_conditions *conditions,
                                  const struct partition_launch *launch, int64_t *values,
                                  bool *hold)
{
    size_t count = conditions->parameter_count;
    for (size_t i = 0; i < count; i++)
        TRY(access_parameter(
            launch, isl_map_get_dim_name(conditions->map, isl_dim_param, (unsigned)i), &values[i]));
    *hold = false;
    for (size_t i = 0; i < conditions->count && !*hold; i++)
        *hold = piece_holds(&conditions->pieces[i], values, count);
    return DM_OK;
}

enum dm_status access_conditions_hold(const struct access_conditions *conditions,
                                      const struct partition_launch *launch, bool *hold)
{
    if (conditions->is_linear) {
        int64_t *values = calloc(conditions->parameter_count + 1, sizeof *values);
        enum dm_status status = values ? hold_linear(conditions, launch, values, hold)
                                       : error_no_memory(sizeof *values);
        free(values);
        return status;
    }
    isl_map *fixed;
    TRY(access_fix_map(launch, isl_map_copy(conditions->map), &fixed));
    *hold = isl_map_is_empty(fixed) != isl_bool_true;
    isl_map_free(fixed);
    return DM_OK;
}
