#include <math.h>

#include "common/random.h"

#include "generate_internal.h"

/* Different numbers are drawn from different seeds. */
static uint64_t seed_of(uint64_t seed, uint64_t purpose)
{
    return random_bits(seed, purpose);
}
enum { OF_LENGTHS, OF_COLUMNS, OF_VALUES };

/* Row lengths: the quantile function of a distribution. */
struct lengths {
    double (*quantile)(const struct lengths *lengths, double u);
    double scale, shape;
};

/* Pareto: P(length > l) = (scale / l)^shape. */
static double pareto(const struct lengths *lengths, double u)
{
    return lengths->scale * pow(1 - u, -1 / lengths->shape);
}

/* Weibull: P(length > l) = exp(-(l / scale)^shape). */
static double weibull(const struct lengths *lengths, double u)
{
    return lengths->scale * pow(-log1p(-u), 1 / lengths->shape);
}

static double constant(const struct lengths *lengths, double u)
{
    (void)u;
    return lengths->scale;
}

/* Rows of given lengths. The i-th row gets the quantile at a multiple of the golden ratio: these
 * points are spread so evenly that mean and deviation are right in small matrices too, and any
 * block of rows is like any other. */
static enum dm_status add_rows(struct spmv_coo *coo, const struct lengths *lengths, uint64_t seed)
{
    const double golden_ratio = 0.61803398874989485;
    double shift = random_uniform(seed_of(seed, OF_LENGTHS), 0);
    for (int64_t row = 0; row < coo->rows; row++) {
        double u = shift + golden_ratio * (double)row;
        double length = round(lengths->quantile(lengths, u - floor(u)));
        length = fmin(fmax(length, 1), (double)coo->columns);
        TRY(sparse_generate_spread(coo, row, (int64_t)length, seed_of(seed, OF_COLUMNS)));
    }
    return DM_OK;
}

static enum dm_status finish(struct spmv_coo *coo, uint64_t seed)
{
    TRY(spmv_coo_finish(coo));
    sparse_generate_values(coo, seed_of(seed, OF_VALUES));
    return DM_OK;
}

static enum dm_status generate_lengths(struct spmv_coo *coo, int64_t size, double mean,
                                       const struct lengths *lengths, uint64_t seed)
{
    double entries = 1.1 * mean * (double)size;
    TRY(spmv_coo_open(coo, size, size, (int64_t)entries));
    TRY(add_rows(coo, lengths, seed));
    return finish(coo, seed);
}

static enum dm_status mean_fits(double mean, int64_t columns)
{
    if (mean >= 1 && mean <= (double)columns)
        return DM_OK;
    return dm_fail(DM_INVALID, "rows of mean length %g in a matrix of %lld columns", mean,
                   (long long)columns);
}

/* Exponent 2.5 of the density, as in many networks: the variance has no limit. */
enum dm_status sparse_generate_power(struct spmv_coo *coo, int64_t size, double parameter,
                                     uint64_t seed)
{
    const double shape = 1.5;
    struct lengths lengths = {pareto, parameter * (shape - 1) / shape, shape};
    TRY(mean_fits(parameter, size));
    return generate_lengths(coo, size, parameter, &lengths, seed);
}

/* Variance of a Weibull distribution: mean^2 (gamma(1 + 2/k) / gamma(1 + 1/k)^2 - 1). */
static double weibull_variation(double shape)
{
    double mean = tgamma(1 + 1 / shape);
    return sqrt(fmax(tgamma(1 + 2 / shape) / (mean * mean) - 1, 0));
}

static double weibull_shape(double variation)
{
    double low = 0.25, high = 1000; /* variation 8.3 and 0.0013 */
    for (int step = 0; step < 60; step++) {
        double middle = sqrt(low * high);
        if (weibull_variation(middle) > variation)
            low = middle;
        else
            high = middle;
    }
    return low;
}

enum dm_status sparse_generate_varied(struct spmv_coo *coo, int64_t size, double parameter,
                                      uint64_t seed)
{
    const double mean = 32, maximum = 4;
    struct lengths lengths = {constant, mean, 0};
    if (parameter > maximum)
        return dm_fail(DM_INVALID, "a coefficient of variation of %g: at most %g", parameter,
                       maximum);
    if (parameter >= 0.01) {
        double shape = weibull_shape(parameter);
        lengths = (struct lengths){weibull, mean / tgamma(1 + 1 / shape), shape};
    }
    return generate_lengths(coo, size, mean, &lengths, seed);
}

enum dm_status sparse_generate_empty_rows(struct spmv_coo *coo, int64_t size, double parameter,
                                          uint64_t seed)
{
    int64_t every;
    TRY(sparse_generate_whole(parameter, "a distance of rows", &every));
    if (every < 1)
        return dm_fail(DM_INVALID, "a distance of rows of 0: at least 1");
    int64_t length = size < 16 ? size : 16;
    TRY(spmv_coo_open(coo, size, size, length * (size / every + 1)));
    for (int64_t row = 0; row < size; row += every)
        TRY(sparse_generate_spread(coo, row, length, seed_of(seed, OF_COLUMNS)));
    return finish(coo, seed);
}

/* Every place has an entry with the same probability: the gaps between them are geometric. */
static enum dm_status generate_uniform(struct spmv_coo *coo, int64_t rows, int64_t columns,
                                       double mean, uint64_t seed)
{
    double scale = 1 / log1p(-mean / (double)columns), entries = 1.1 * mean * (double)rows;
    uint64_t gaps = seed_of(seed, OF_COLUMNS), drawn = 0;
    TRY(mean_fits(mean, columns));
    TRY(spmv_coo_open(coo, rows, columns, (int64_t)entries));
    for (int64_t row = 0; row < rows; row++)
        for (int64_t column = -1;;) {
            double gap = floor(log1p(-random_uniform(gaps, drawn++)) * scale);
            if (gap >= (double)(columns - 1 - column))
                break;
            column += 1 + (int64_t)gap;
            TRY(spmv_coo_add(coo, row, column, 1));
        }
    return finish(coo, seed);
}

enum dm_status sparse_generate_random(struct spmv_coo *coo, int64_t size, double parameter,
                                      uint64_t seed)
{
    return generate_uniform(coo, size, size, parameter, seed);
}

enum dm_status sparse_generate_rectangular(struct spmv_coo *coo, int64_t size, double parameter,
                                           uint64_t seed)
{
    return generate_uniform(coo, size, 2 * size, parameter, seed);
}
