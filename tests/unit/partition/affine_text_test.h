/* affine_text_test.h: a text, as affine_text.h reads it and as isl does. */
#ifndef AFFINE_TEXT_TEST_H
#define AFFINE_TEXT_TEST_H

#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <stdbool.h>
#include <string.h>

#include "partition/affine_text.h"

enum reading { NOT_READ, SAME, DIFFERENT };

static inline isl_ctx *reading_context(void)
{
    isl_ctx *ctx = isl_ctx_alloc();

    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(ctx, 20000000);
    return ctx;
}

static inline bool has_same_inputs(isl_map *one, isl_map *other)
{
    for (unsigned i = 0; i < (unsigned)isl_map_dim(one, isl_dim_in); i++) {
        const char *a = isl_map_get_dim_name(one, isl_dim_in, i);
        const char *b = isl_map_get_dim_name(other, isl_dim_in, i);
        if (strcmp(a ? a : "", b ? b : "") != 0)
            return false;
    }
    return true;
}

static inline bool is_same(isl_map *one, isl_map *other)
{
    isl_space *a = isl_map_get_space(one), *b = isl_map_get_space(other);
    const bool same = isl_space_is_equal(a, b) == isl_bool_true && has_same_inputs(one, other) &&
                      isl_map_is_equal(one, other) == isl_bool_true;

    isl_space_free(a);
    isl_space_free(b);
    return same;
}

/* isl gives up when there is too much to do: then nothing is said. */
static inline enum reading compare_readings(isl_ctx *ctx, const char *text, bool is_map)
{
    isl_ctx_reset_error(ctx);
    isl_ctx_reset_operations(ctx);
    isl_map *read = is_map ? affine_text_map(ctx, text, NULL) : affine_text_parameters(ctx, text);
    if (!read)
        return NOT_READ;
    isl_map *expected =
        is_map ? isl_map_read_from_str(ctx, text)
               : isl_map_from_range(isl_set_from_params(isl_set_read_from_str(ctx, text)));
    const bool same = expected && is_same(read, expected);
    isl_map_free(read);
    isl_map_free(expected);
    if (isl_ctx_last_error(ctx) == isl_error_quota)
        return NOT_READ;
    return same ? SAME : DIFFERENT;
}

#endif
