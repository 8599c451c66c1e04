#include "pricing_check.h"

#include <stdlib.h>
#include <string.h>

#include "coarrays/hetero/asian_reference.h"
#include "common/harness/exit.h"

#include "images.h"

enum { SUMS = sizeof(struct asian_sums) / sizeof(double) };
static const double standard_errors_max = 6;

struct asian_sums *pricing_expected(const struct pricing_portfolio *portfolio, int threads)
{
    size_t count = (size_t)portfolio->distinct;
    struct asian_sums *sums = allocate_or_fail(count, sizeof *sums);
    memset(sums, 0, count * sizeof *sums);
    for (size_t i = (size_t)caf_this_image() - 1; i < count; i += (size_t)caf_num_images())
        check_status(asian_host_mt(&portfolio->simulation, &portfolio->options[i], 1, threads,
                                   &sums[i], NULL));
    check_status(caf_sum(sums, SUMS * count, CAF_DOUBLE, 0));
    return sums;
}

long pricing_wrong_prices(const struct pricing_portfolio *portfolio,
                          const struct asian_sums *expected)
{
    long wrong = 0;
    for (int i = caf_this_image() - 1; i < portfolio->distinct; i += caf_num_images())
        wrong += !(asian_reference_error(&portfolio->simulation, &portfolio->options[i],
                                         &expected[i]) <= standard_errors_max);
    return images_sum(wrong);
}

long pricing_errors(const struct pricing_job *job, const bool *is_done,
                    const struct asian_sums *expected)
{
    size_t count = (size_t)job->portfolio->count;
    struct asian_sums *sums = allocate_or_fail(count, sizeof *sums);
    int32_t *priced = allocate_or_fail(count, sizeof *priced);
    for (size_t i = 0; i < count; i++) {
        priced[i] = job->priced[i];
        sums[i] = priced[i] > 0 ? job->sums[i] : (struct asian_sums){0};
    }
    check_status(caf_sum(sums, SUMS * count, CAF_DOUBLE, 0));
    check_status(caf_sum(priced, count, CAF_INT32, 0));
    long errors = 0;
    for (size_t i = 0; i < count; i++) {
        const struct asian_sums *found = is_done[i] ? &job->sums[i] : &sums[i];
        errors += priced[i] != !is_done[i] ||
                  !asian_equal(found, &expected[i % (size_t)job->portfolio->distinct]);
    }
    free(sums);
    free(priced);
    return errors;
}
