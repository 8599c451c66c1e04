/* asian.c: options, and prices from sums. */
#include "asian.h"

#include <math.h>
#include <string.h>

#include "common/error.h"
#include "common/random.h"

#include "asian_path.h"

struct asian_option asian_option_of(uint64_t seed, uint64_t id)
{
    enum { STRIKE, RATE, VOLATILITY, MATURITY, SIDE, NUMBERS };
    double u[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        u[i] = random_uniform(seed, id * NUMBERS + (uint64_t)i);
    double volatility = 0.1 + 0.3 * u[VOLATILITY], maturity = 0.25 + 1.75 * u[MATURITY];
    double deviation = volatility * sqrt(maturity / 3); /* of the mean price's logarithm, about */
    return (struct asian_option){
        .id = id,
        .spot = 100,
        .strike = 100 * (1 + deviation * (3 * u[STRIKE] - 1.5)),
        .rate = 0.01 + 0.05 * u[RATE],
        .volatility = volatility,
        .maturity = maturity,
        .is_put = u[SIDE] < 0.5,
    };
}

enum dm_status asian_check(const struct asian_simulation *simulation)
{
    if (simulation->paths < 2 || simulation->paths > (int64_t)1 << 32)
        return dm_fail(DM_INVALID, "%lld paths: the number must be 2 to 2^32",
                       (long long)simulation->paths);
    if (simulation->steps < ASIAN_STEPS_UNIT || simulation->steps > 65536 ||
        simulation->steps % ASIAN_STEPS_UNIT)
        return dm_fail(DM_INVALID, "%d steps: the number must be a multiple of 4, from 4 to 65536",
                       simulation->steps);
    return DM_OK;
}

int64_t asian_blocks(const struct asian_simulation *simulation)
{
    return (simulation->paths + ASIAN_BLOCK_PATHS - 1) / ASIAN_BLOCK_PATHS;
}

struct asian_walk asian_walk_of(const struct asian_simulation *simulation,
                                const struct asian_option *option)
{
    double step = option->maturity / simulation->steps, variance = pow(option->volatility, 2);
    double side = option->is_put ? -1 : 1;
    return (struct asian_walk){
        .key = {{(uint32_t)simulation->seed, (uint32_t)(simulation->seed >> 32)}},
        .id = {(uint32_t)option->id, (uint32_t)(option->id >> 32)},
        .groups = (uint32_t)(simulation->steps / ASIAN_STEPS_UNIT),
        .drift = (float)((option->rate - variance / 2) * step / M_LN2),
        .deviation = (float)(sqrt(variance * step) / M_LN2),
        .inverse_steps = (float)(1.0 / simulation->steps),
        .spot = (float)(side * option->spot),
        .mean_scale = (float)(side * option->spot / simulation->steps),
        .strike = (float)(side * option->strike),
    };
}

/* The mean and its standard error, discounted. */
static struct asian_price price_of(const struct asian_simulation *simulation,
                                   const struct asian_option *option, double sum, double squares)
{
    double n = (double)simulation->paths, mean = sum / n;
    double discount = exp(-option->rate * option->maturity);
    double variance = fmax(0, squares / n - mean * mean) * n / (n - 1);
    return (struct asian_price){discount * mean, discount * sqrt(variance / n)};
}

struct asian_price asian_arithmetic_price(const struct asian_simulation *simulation,
                                          const struct asian_option *option,
                                          const struct asian_sums *sums)
{
    return price_of(simulation, option, sums->arithmetic, sums->arithmetic_squares);
}

struct asian_price asian_geometric_price(const struct asian_simulation *simulation,
                                         const struct asian_option *option,
                                         const struct asian_sums *sums)
{
    return price_of(simulation, option, sums->geometric, sums->geometric_squares);
}

bool asian_equal(const struct asian_sums *a, const struct asian_sums *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}
