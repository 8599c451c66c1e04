/* asian_reference.c: trusted prices, written apart from the simulation: libm, double precision,
 * another generator. */
#include "asian_reference.h"

#include <math.h>

#include "common/random.h"

static double normal_below(double x)
{
    return 0.5 * erfc(-x * M_SQRT1_2);
}

/* The logarithm of the geometric mean is normal, with
 *
 *     mean      ln(spot) + (rate - volatility^2 / 2) T (n + 1) / (2 n)
 *     variance  volatility^2 T (n + 1) (2 n + 1) / (6 n^2)
 */
double asian_reference_geometric(const struct asian_option *option, int steps)
{
    double n = steps, T = option->maturity, variance = pow(option->volatility, 2);
    double mean = log(option->spot) + (option->rate - variance / 2) * T * (n + 1) / (2 * n);
    double deviation = sqrt(variance * T * (n + 1) * (2 * n + 1) / (6 * n * n));
    double d2 = (mean - log(option->strike)) / deviation, d1 = d2 + deviation;
    double forward = exp(mean + deviation * deviation / 2), side = option->is_put ? -1 : 1;
    return exp(-option->rate * T) * side *
           (forward * normal_below(side * d1) - option->strike * normal_below(side * d2));
}

/* Discounted payoffs of one path with both means. */
struct payoffs {
    double arithmetic, geometric;
};

static struct payoffs path_payoffs(const struct asian_option *option, int steps, uint64_t seed,
                                   int64_t path)
{
    double dt = option->maturity / steps, variance = pow(option->volatility, 2);
    double side = option->is_put ? -1 : 1, discount = exp(-option->rate * option->maturity);
    double logarithm = 0, sum = 0, logarithms = 0;
    for (int k = 0; k < steps; k++) {
        uint64_t index = 2 * ((uint64_t)path * (uint64_t)steps + (uint64_t)k);
        double radius = sqrt(-2 * log(1 - random_uniform(seed, index)));
        double z = radius * cos(2 * M_PI * random_uniform(seed, index + 1));
        logarithm += (option->rate - variance / 2) * dt + sqrt(variance * dt) * z;
        logarithms += logarithm;
        sum += exp(logarithm);
    }
    double arithmetic = option->spot * sum / steps;
    double geometric = option->spot * exp(logarithms / steps);
    return (struct payoffs){discount * fmax(0, side * (arithmetic - option->strike)),
                            discount * fmax(0, side * (geometric - option->strike))};
}

/* Sums over paths: of the payoffs a (arithmetic) and g (geometric), and of their products. */
struct moments {
    double a, g, aa, gg, ag;
};

static struct moments simulate(const struct asian_option *option, int steps, int64_t paths,
                               uint64_t seed)
{
    struct moments sums = {0};
    uint64_t stream = random_bits(seed, option->id);
    for (int64_t path = 0; path < paths; path++) {
        struct payoffs p = path_payoffs(option, steps, stream, path);
        sums.a += p.arithmetic;
        sums.g += p.geometric;
        sums.aa += p.arithmetic * p.arithmetic;
        sums.gg += p.geometric * p.geometric;
        sums.ag += p.arithmetic * p.geometric;
    }
    return sums;
}

/* Regression of the arithmetic on the geometric payoff: at the geometric mean's known price it says
 * the price, and its residuals the error. If the control never pays, nothing is regressed. */
static struct asian_price regress(const struct moments *m, double n, double geometric)
{
    double covariance = m->ag - m->a * m->g / n, variance = m->gg - m->g * m->g / n;
    double slope = variance > 0 ? covariance / variance : 0;
    double residuals = fmax(0, m->aa - m->a * m->a / n - slope * covariance);
    return (struct asian_price){m->a / n - slope * (m->g / n - geometric),
                                sqrt(residuals / (n - 2) / n)};
}

struct asian_price asian_reference_arithmetic(const struct asian_option *option, int steps,
                                              int64_t paths, uint64_t seed)
{
    struct moments sums = simulate(option, steps, paths, seed);
    return regress(&sums, (double)paths, asian_reference_geometric(option, steps));
}

/* Paths of the reference's own: with the control variate it is then as exact as a million plain
 * ones. */
enum { REFERENCE_PATHS = 4096 };
static const uint64_t reference_seed = 0x5ca1ab1e;

/* The simulation's single precision errs by up to about 1e-6 of the spot, whatever the number of
 * paths; that is also left where no path pays. */
static double in_errors(double difference, double error, double spot)
{
    return fabs(difference) / hypot(error, 1e-6 * spot);
}

/* Unlike fmax, a price that is no number is the worst. */
static double worse(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

/* The standard errors of the simulation's prices follow from the deviation of the reference's
 * payoffs and not of its own: of few paths perhaps none pays, and its own would be 0; and wrong
 * sums of squares would make any price right. */
double asian_reference_error(const struct asian_simulation *simulation,
                             const struct asian_option *option, const struct asian_sums *sums)
{
    int steps = simulation->steps;
    double n = REFERENCE_PATHS, paths = (double)simulation->paths;
    double exact = asian_reference_geometric(option, steps);
    struct moments m = simulate(option, steps, REFERENCE_PATHS, reference_seed);
    struct asian_price trusted = regress(&m, n, exact);
    double arithmetic_error = sqrt(fmax(0, m.aa / n - pow(m.a / n, 2)) / paths);
    double geometric_error = sqrt(fmax(0, m.gg / n - pow(m.g / n, 2)) / paths);
    double arithmetic = asian_arithmetic_price(simulation, option, sums).value;
    double geometric = asian_geometric_price(simulation, option, sums).value;
    return worse(in_errors(arithmetic - trusted.value,
                           hypot(arithmetic_error, trusted.standard_error), option->spot),
                 in_errors(geometric - exact, geometric_error, option->spot));
}
