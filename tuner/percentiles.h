/* percentiles.h: what a row says about searches with different seeds: five columns of one quantity.
 *
 *     struct row {
 *         PERCENTILES(best);
 *     };
 *     ... PERCENTILE_COLUMNS(struct row, best, "least possible time / time found"), ...
 *     row.best = percentiles_of(sorted, count);
 */
#ifndef TUNER_PERCENTILES_H
#define TUNER_PERCENTILES_H

#include "common/harness/record.h"
#include "common/statistics.h"

struct percentiles {
    double p05, p25, median, p75, p95;
};

/* Of ascending values. */
static inline struct percentiles percentiles_of(const double *sorted, size_t count)
{
    return (struct percentiles){.p05 = statistics_quantile(sorted, count, 0.05),
                                .p25 = statistics_quantile(sorted, count, 0.25),
                                .median = statistics_quantile(sorted, count, 0.5),
                                .p75 = statistics_quantile(sorted, count, 0.75),
                                .p95 = statistics_quantile(sorted, count, 0.95)};
}

/* The same numbers as one value and as members, as columns are members. */
#define PERCENTILES(name)                                                                          \
    union {                                                                                        \
        struct percentiles name;                                                                   \
        struct {                                                                                   \
            double name##_p05, name##_p25, name##_median, name##_p75, name##_p95;                  \
        };                                                                                         \
    }

#define PERCENTILE_COLUMNS(row, name, meaning)                                                     \
    METRIC(row, name##_p05, "5th percentile over searches of " meaning),                           \
        METRIC(row, name##_p25, "25th percentile"), METRIC(row, name##_median, "median"),          \
        METRIC(row, name##_p75, "75th percentile"), METRIC(row, name##_p95, "95th percentile")

#endif
