/* portfolio.h: Asian options with the sums that one thread per option computes, and how far their
 * prices are from the reference. */
#ifndef COARRAYS_BENCH_PORTFOLIO_H
#define COARRAYS_BENCH_PORTFOLIO_H

#include "coarrays/hetero/asian.h"

struct portfolio {
    struct asian_simulation simulation;
    struct asian_option *options;
    struct asian_sums *sums;
    double *price_errors; /* in standard errors of both together */
};

/* `count` options in memory of scope.h; without `check` the sums and errors are left out. */
struct portfolio portfolio_make(const struct asian_simulation *simulation, size_t count,
                                bool check);

/* The first `count` options whose sums are not the trusted ones, bit for bit, or whose price is
 * more than 6 standard errors off; *price_error is the largest of these distances. */
long portfolio_count_wrong(const struct portfolio *portfolio, const struct asian_sums *sums,
                           size_t count, double *price_error);

#endif
