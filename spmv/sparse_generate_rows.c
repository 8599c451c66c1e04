#include <math.h>

#include "common/random.h"

#include "sparse_generate_internal.h"

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
static bool add_rows(struct sparse_coo *coo, const struct lengths *lengths, uint64_t seed,
                     struct sparse_error *error)
{
    const double golden_ratio = 0.61803398874989485;
    double shift = random_uniform(seed_of(seed, OF_LENGTHS), 0);
    for (int64_t row = 0; row < coo->rows; row++) {
        double u = shift + golden_ratio * (double)row;
        double length = round(lengths->quantile(lengths, u - floor(u)));
        length = fmin(fmax(length, 1), (double)coo->columns);
        if (!sparse_generate_spread(coo, row, (int64_t)length, seed_of(seed, OF_COLUMNS), error))
            return false;
    }
    return true;
}

static bool finish(struct sparse_coo *coo, uint64_t seed, struct sparse_error *error)
{
    if (!sparse_coo_finish(coo, error))
        return false;
    sparse_generate_values(coo, seed_of(seed, OF_VALUES));
    return true;
}

static bool generate_lengths(struct sparse_coo *coo, int64_t size, double mean,
                             const struct lengths *lengths, uint64_t seed,
                             struct sparse_error *error)
{
    double entries = 1.1 * mean * (double)size;
    return sparse_coo_open(coo, size, size, (int64_t)entries, error) &&
           add_rows(coo, lengths, seed, error) && finish(coo, seed, error);
}

static bool mean_fits(double mean, int64_t columns, struct sparse_error *error)
{
    if (mean >= 1 && mean <= (double)columns)
        return true;
    return sparse_refuse(error, "rows of mean length %g in a matrix of %lld columns", mean,
                         (long long)columns);
}

/* Exponent 2.5 of the density, as in many networks: the variance has no limit. */
bool sparse_generate_power(struct sparse_coo *coo, int64_t size, double parameter, uint64_t seed,
                           struct sparse_error *error)
{
    const double shape = 1.5;
    struct lengths lengths = {pareto, parameter * (shape - 1) / shape, shape};
    return mean_fits(parameter, size, error) &&
           generate_lengths(coo, size, parameter, &lengths, seed, error);
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

bool sparse_generate_varied(struct sparse_coo *coo, int64_t size, double parameter, uint64_t seed,
                            struct sparse_error *error)
{
    const double mean = 32, most = 4;
    struct lengths lengths = {constant, mean, 0};
    if (parameter > most)
        return sparse_refuse(error, "a coefficient of variation of %g: at most %g", parameter,
                             most);
    if (parameter >= 0.01) {
        double shape = weibull_shape(parameter);
        lengths = (struct lengths){weibull, mean / tgamma(1 + 1 / shape), shape};
    }
    return generate_lengths(coo, size, mean, &lengths, seed, error);
}

bool sparse_generate_empty_rows(struct sparse_coo *coo, int64_t size, double parameter,
                                uint64_t seed, struct sparse_error *error)
{
    int64_t every;
    if (!sparse_generate_whole(parameter, "a distance of rows", &every, error))
        return false;
    if (every < 1)
        return sparse_refuse(error, "a distance of rows of 0: at least 1");
    int64_t length = size < 16 ? size : 16;
    if (!sparse_coo_open(coo, size, size, length * (size / every + 1), error))
        return false;
    for (int64_t row = 0; row < size; row += every)
        if (!sparse_generate_spread(coo, row, length, seed_of(seed, OF_COLUMNS), error))
            return false;
    return finish(coo, seed, error);
}

/* Every place has an entry with the same probability: the gaps between them are geometric. */
static bool generate_uniform(struct sparse_coo *coo, int64_t rows, int64_t columns, double mean,
                             uint64_t seed, struct sparse_error *error)
{
    double scale = 1 / log1p(-mean / (double)columns), entries = 1.1 * mean * (double)rows;
    uint64_t gaps = seed_of(seed, OF_COLUMNS), drawn = 0;
    if (!mean_fits(mean, columns, error) ||
        !sparse_coo_open(coo, rows, columns, (int64_t)entries, error))
        return false;
    for (int64_t row = 0; row < rows; row++)
        for (int64_t column = -1;;) {
            double gap = floor(log1p(-random_uniform(gaps, drawn++)) * scale);
            if (gap >= (double)(columns - 1 - column))
                break;
            column += 1 + (int64_t)gap;
            if (!sparse_coo_add(coo, row, column, 1, error))
                return false;
        }
    return finish(coo, seed, error);
}

bool sparse_generate_random(struct sparse_coo *coo, int64_t size, double parameter, uint64_t seed,
                            struct sparse_error *error)
{
    return generate_uniform(coo, size, size, parameter, seed, error);
}

bool sparse_generate_rectangular(struct sparse_coo *coo, int64_t size, double parameter,
                                 uint64_t seed, struct sparse_error *error)
{
    return generate_uniform(coo, size, 2 * size, parameter, seed, error);
}
