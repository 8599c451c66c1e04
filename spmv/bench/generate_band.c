#include "common/random.h"

#include "generate_internal.h"

/* All columns at most half_width from the diagonal. */
static enum dm_status add_band(struct spmv_coo *coo, int64_t row, int64_t half_width)
{
    int64_t first = row > half_width ? row - half_width : 0;
    int64_t last = row + half_width < coo->columns - 1 ? row + half_width : coo->columns - 1;
    for (int64_t column = first; column <= last; column++)
        TRY(spmv_coo_add(coo, row, column, 1));
    return DM_OK;
}

/* A band; the row full_row, if there is one, goes over all columns. */
static enum dm_status generate_band(struct spmv_coo *coo, int64_t size, int64_t half_width,
                                    int64_t full_row, uint64_t seed)
{
    TRY(spmv_coo_open(coo, size, size, size * (2 * half_width + 1)));
    for (int64_t row = 0; row < size; row++)
        TRY(add_band(coo, row, row == full_row ? size : half_width));
    TRY(spmv_coo_finish(coo));
    sparse_generate_values(coo, seed);
    return DM_OK;
}

enum dm_status sparse_generate_banded(struct spmv_coo *coo, int64_t size, double parameter,
                                      uint64_t seed)
{
    int64_t half_width;
    TRY(sparse_generate_whole(parameter, "a half width", &half_width));
    half_width = half_width < size ? half_width : size - 1;
    return generate_band(coo, size, half_width, -1, seed);
}

enum dm_status sparse_generate_dense_row(struct spmv_coo *coo, int64_t size, double parameter,
                                         uint64_t seed)
{
    (void)parameter;
    return generate_band(coo, size, 1, size / 2, seed);
}

/* Near 1, but different: a row cannot be scaled to a sum of 1 without making this the identity. */
enum dm_status sparse_generate_diagonal(struct spmv_coo *coo, int64_t size, double parameter,
                                        uint64_t seed)
{
    (void)parameter;
    TRY(generate_band(coo, size, 0, -1, seed));
    for (int64_t k = 0; k < size; k++)
        coo->value[k] = 1 - random_uniform(seed, (uint64_t)k) / 1024;
    return DM_OK;
}
