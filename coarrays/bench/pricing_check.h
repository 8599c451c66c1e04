/* pricing_check.h: whether every option was priced once, and right. */
#ifndef COARRAYS_BENCH_PRICING_CHECK_H
#define COARRAYS_BENCH_PRICING_CHECK_H

#include "coarrays/hetero/pricing.h"

/* The sums of all options, on all images; the images share the work, each with `threads`
 * threads. free() them. Collective. */
struct asian_sums *pricing_expected(const struct pricing_portfolio *portfolio, int threads);

/* Options whose price is more than 6 standard errors off the reference of asian_reference.h. The
 * images share the work. Collective. */
long pricing_wrong_prices(const struct pricing_portfolio *portfolio,
                          const struct asian_sums *expected);

/* Options of a job's last run that were not priced exactly once by all images together, or (if they
 * were in the log before: is_done) priced at all, or whose sums are not the expected bits.
 * Collective, with the same result everywhere. */
long pricing_errors(const struct pricing_job *job, const bool *is_done,
                    const struct asian_sums *expected);

#endif
