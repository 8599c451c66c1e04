#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/random.h"

#include "generate_internal.h"

const struct sparse_generator sparse_generators[] = {
    {"pde", "advection-diffusion on a cube of SIZE^3 points, 7 entries per row", NAN,
     sparse_generate_pde},
    {"point5", "Laplace operator on SIZE^2 points, 5 entries per row", NAN, sparse_generate_point5},
    {"point7", "Laplace operator on SIZE^3 points, 7 entries per row", NAN, sparse_generate_point7},
    {"point27", "the same with all 27 neighbours", NAN, sparse_generate_point27},
    {"banded", "SIZE rows, all diagonals up to PARAMETER from the main one", 8,
     sparse_generate_banded},
    {"fem", "3 x 3 blocks on a mesh of SIZE^3 nodes, 81 entries per row", NAN, sparse_generate_fem},
    {"power", "SIZE rows, lengths by a power law of mean PARAMETER", 16, sparse_generate_power},
    {"dense_row", "SIZE rows, three diagonals and one full row", NAN, sparse_generate_dense_row},
    {"empty_rows", "SIZE rows, 16 entries in every PARAMETER-th one", 4,
     sparse_generate_empty_rows},
    {"random", "SIZE rows, every place alike, PARAMETER entries per row in the mean", 16,
     sparse_generate_random},
    {"varied", "SIZE rows of mean length 32, PARAMETER is their coefficient of variation", 1,
     sparse_generate_varied},
    {"rectangular", "SIZE rows, twice as many columns, PARAMETER entries per row in the mean", 16,
     sparse_generate_rectangular},
    {"diagonal", "SIZE rows", NAN, sparse_generate_diagonal},
    {0},
};

static void scale_row(struct spmv_coo *coo, int64_t first, int64_t last)
{
    double sum = 0;
    for (int64_t k = first; k < last; k++)
        sum += coo->value[k];
    for (int64_t k = first; k < last; k++)
        coo->value[k] /= sum;
}

void sparse_generate_values(struct spmv_coo *coo, uint64_t seed)
{
    int64_t first = 0;
    for (int64_t k = 0; k < coo->entries; k++) {
        coo->value[k] = 1 - random_uniform(seed, (uint64_t)k); /* never 0 */
        if (k + 1 == coo->entries || coo->row[k + 1] != coo->row[k]) {
            scale_row(coo, first, k + 1);
            first = k + 1;
        }
    }
}

enum dm_status sparse_generate_spread(struct spmv_coo *coo, int64_t row, int64_t count,
                                      uint64_t seed)
{
    for (int64_t j = 0; j < count; j++) {
        int64_t low = coo->columns * j / count, high = coo->columns * (j + 1) / count;
        uint64_t index = (uint64_t)coo->entries;
        int64_t column = low + (int64_t)random_below(seed, index, (uint64_t)(high - low));
        TRY(spmv_coo_add(coo, row, column, 1));
    }
    return DM_OK;
}

enum dm_status sparse_generate_whole(double parameter, const char *what, int64_t *number)
{
    if (parameter != floor(parameter) || parameter > INT32_MAX)
        return dm_fail(DM_INVALID, "%s of %g: expected a whole number up to 2147483647", what,
                       parameter);
    *number = (int64_t)parameter;
    return DM_OK;
}

static enum dm_status list_generators(const char *name)
{
    char kinds[256] = "";
    for (const struct sparse_generator *g = sparse_generators; g->name; g++) {
        size_t used = strlen(kinds);
        snprintf(kinds + used, sizeof kinds - used, " %s", g->name);
    }
    return dm_fail(DM_INVALID,
                   "no file and no kind of matrix: `%.60s`; kinds (KIND:SIZE or "
                   "KIND:SIZE:PARAMETER) are%s",
                   name, kinds);
}

static const struct sparse_generator *generator_of(const char *name, size_t length)
{
    for (const struct sparse_generator *g = sparse_generators; g->name; g++)
        if (strlen(g->name) == length && strncmp(g->name, name, length) == 0)
            return g;
    return NULL;
}

/* Reads `:SIZE` or `:SIZE:PARAMETER`. */
static bool read_numbers(const char *text, int64_t *size, double *parameter)
{
    if (*text != ':' || text[1] < '0' || text[1] > '9')
        return false;
    char *end;
    errno = 0;
    *size = strtoll(text + 1, &end, 10);
    if (errno || *size < 1 || *size > INT32_MAX)
        return false;
    if (*end == '\0')
        return true;
    const char *number = end + 1;
    if (*end != ':' || isnan(*parameter))
        return false;
    *parameter = strtod(number, &end);
    return end != number && *end == '\0' && isfinite(*parameter) && *parameter >= 0;
}

/* What a name says: a kind and its numbers, or, without a generator, a file. */
struct named {
    const struct sparse_generator *generator;
    int64_t size;
    double parameter;
};

static enum dm_status read_name(const char *name, struct named *named)
{
    size_t length = strcspn(name, ":");
    const struct sparse_generator *generator = generator_of(name, length);
    *named = (struct named){.generator = generator};
    if (!generator)
        return access(name, F_OK) == 0 ? DM_OK : list_generators(name);
    named->parameter = generator->parameter;
    if (read_numbers(name + length, &named->size, &named->parameter))
        return DM_OK;
    return dm_fail(DM_INVALID, "matrix `%.60s`: expected %s:SIZE%s, SIZE from 1 to 2147483647%s",
                   name, generator->name, isnan(generator->parameter) ? "" : " or :SIZE:PARAMETER",
                   isnan(generator->parameter) ? "" : ", PARAMETER a number from 0");
}

enum dm_status sparse_matrix_is_name(const char *name)
{
    struct named named;
    return read_name(name, &named);
}

enum dm_status sparse_matrix_of(struct spmv_coo *coo, const char *name, uint64_t seed)
{
    struct named named;
    *coo = (struct spmv_coo){0};
    TRY(read_name(name, &named));
    if (!named.generator)
        return spmv_market_read(coo, name);
    enum dm_status status = named.generator->generate(coo, named.size, named.parameter, seed);
    if (status != DM_OK)
        spmv_coo_close(coo);
    return status;
}
