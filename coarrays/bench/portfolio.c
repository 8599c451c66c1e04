#include "portfolio.h"

#include <math.h>
#include <omp.h>

#include "coarrays/hetero/asian_reference.h"
#include "common/harness/scope.h"

/* A price further from the reference is wrong: by chance that happens once in 5 * 10^8 options. */
static const double price_error_max = 6;

/* Each option is priced by one thread, which does all its paths. */
static void price(struct portfolio *portfolio, size_t count)
{
    asian_host_mo(&portfolio->simulation, portfolio->options, count, omp_get_num_procs(),
                  portfolio->sums);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < count; i++)
        portfolio->price_errors[i] = asian_reference_error(
            &portfolio->simulation, &portfolio->options[i], &portfolio->sums[i]);
}

struct portfolio portfolio_make(const struct asian_simulation *simulation, size_t count, bool check)
{
    struct portfolio portfolio = {
        .simulation = *simulation,
        .options = scope_allocate(MEMORY_PAGEABLE, count * sizeof *portfolio.options),
        .sums = scope_allocate(MEMORY_PAGEABLE, count * sizeof *portfolio.sums),
        .price_errors = scope_allocate(MEMORY_PAGEABLE, count * sizeof(double))};
    for (size_t i = 0; i < count; i++)
        portfolio.options[i] = asian_option_of(simulation->seed, i);
    if (check)
        price(&portfolio, count);
    return portfolio;
}

long portfolio_count_wrong(const struct portfolio *portfolio, const struct asian_sums *sums,
                           size_t count, double *price_error)
{
    long wrong = 0;
    *price_error = 0;
    for (size_t i = 0; i < count; i++) {
        double error = portfolio->price_errors[i];
        wrong += !asian_equal(&sums[i], &portfolio->sums[i]) || !(error <= price_error_max);
        *price_error = fmax(*price_error, error);
    }
    return wrong;
}
