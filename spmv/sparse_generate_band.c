#include "common/random.h"

#include "sparse_generate_internal.h"

/* All columns at most half_width from the diagonal. */
static bool add_band(struct sparse_coo *coo, int64_t row, int64_t half_width,
                     struct sparse_error *error)
{
    int64_t first = row > half_width ? row - half_width : 0;
    int64_t last = row + half_width < coo->columns - 1 ? row + half_width : coo->columns - 1;
    for (int64_t column = first; column <= last; column++)
        if (!sparse_coo_add(coo, row, column, 1, error))
            return false;
    return true;
}

/* A band; the row full_row, if there is one, goes over all columns. */
static bool generate_band(struct sparse_coo *coo, int64_t size, int64_t half_width,
                          int64_t full_row, uint64_t seed, struct sparse_error *error)
{
    if (!sparse_coo_open(coo, size, size, size * (2 * half_width + 1), error))
        return false;
    for (int64_t row = 0; row < size; row++)
        if (!add_band(coo, row, row == full_row ? size : half_width, error))
            return false;
    if (!sparse_coo_finish(coo, error))
        return false;
    sparse_generate_values(coo, seed);
    return true;
}

bool sparse_generate_banded(struct sparse_coo *coo, int64_t size, double parameter, uint64_t seed,
                            struct sparse_error *error)
{
    int64_t half_width;
    if (!sparse_generate_whole(parameter, "a half width", &half_width, error))
        return false;
    half_width = half_width < size ? half_width : size - 1;
    return generate_band(coo, size, half_width, -1, seed, error);
}

bool sparse_generate_dense_row(struct sparse_coo *coo, int64_t size, double parameter,
                               uint64_t seed, struct sparse_error *error)
{
    (void)parameter;
    return generate_band(coo, size, 1, size / 2, seed, error);
}

/* Near 1, but different: a row cannot be scaled to a sum of 1 without making this the identity. */
bool sparse_generate_diagonal(struct sparse_coo *coo, int64_t size, double parameter, uint64_t seed,
                              struct sparse_error *error)
{
    (void)parameter;
    if (!generate_band(coo, size, 0, -1, seed, error))
        return false;
    for (int64_t k = 0; k < size; k++)
        coo->value[k] = 1 - random_uniform(seed, (uint64_t)k) / 1024;
    return true;
}
