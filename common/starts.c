#include "starts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Of the starts' medians, on the scale on which they are compared. */
struct medians {
    bool logarithms;
    double mean;
    double square;   /* their variance */
    double expected; /* what of it the repetitions explain */
};

static double on_scale(bool logarithms, double value)
{
    return logarithms ? log(value) : value;
}

static size_t count_all(const size_t *counts, size_t starts)
{
    size_t count = 0;
    for (size_t start = 0; start < starts; start++)
        count += counts[start];
    return count;
}

static bool all_positive(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(values[i] > 0.0))
            return false;
    return true;
}

/* Of at least two starts; NaNs if there is no memory. */
static struct medians compare_medians(const double *values, const size_t *counts, size_t starts)
{
    const double errors = 3.92; /* standard errors that an interval is wide */
    struct medians medians = {.logarithms = all_positive(values, count_all(counts, starts))};
    double squares = 0.0;
    for (size_t start = 0; start < starts; start++) {
        struct interval interval = statistics_interval(values, counts[start]);
        double median = on_scale(medians.logarithms, interval.median);
        double width = on_scale(medians.logarithms, interval.high) -
                       on_scale(medians.logarithms, interval.low);
        double step = median - medians.mean; /* Welford's recurrence */
        medians.mean += step / (double)(start + 1);
        squares += step * (median - medians.mean);
        medians.expected += width / errors * (width / errors) / (double)starts;
        values += counts[start];
    }
    medians.square = squares / (double)(starts - 1);
    return medians;
}

/* The quantile 0.975 of Student's distribution; from 5 degrees of freedom on by the first terms of
 * its expansion around the normal one (Abramowitz and Stegun 26.7.5), right to 0.3 %. */
static double student(size_t freedom)
{
    static const double exact[] = {0.0, 12.706, 4.303, 3.182, 2.776};
    if (freedom < sizeof exact / sizeof *exact)
        return exact[freedom];
    const double z = 1.95996, n = (double)freedom;
    return z + (pow(z, 3) + z) / (4 * n) + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * n * n);
}

/* All repetitions as if starts were alike: as many as they are worth in each. */
static struct interval of_repetitions(const double *values, const size_t *counts, size_t starts)
{
    double effective = 0.0;
    size_t count = 0;
    for (size_t start = 0; start < starts; start++) {
        effective += statistics_effective(values + count, counts[start]);
        count += counts[start];
    }
    double *sorted = malloc((count + 1) * sizeof *sorted);
    struct interval interval = {NAN, NAN, NAN, NAN};
    for (size_t i = 0; sorted && i < count; i++)
        sorted[i] = values[i];
    if (sorted && !isnan(effective)) {
        statistics_sort(sorted, count);
        interval = statistics_worth(sorted, count, effective);
    }
    free(sorted);
    return interval;
}

struct interval starts_interval(const double *values, const size_t *counts, size_t starts)
{
    if (starts < 2)
        return statistics_interval(values, starts > 0 ? counts[0] : 0);
    struct medians medians = compare_medians(values, counts, starts);
    struct interval interval = of_repetitions(values, counts, starts);
    if (isnan(interval.median) || isnan(medians.mean))
        return (struct interval){NAN, NAN, NAN, NAN};
    double error = sqrt(medians.square / (double)starts), reach = student(starts - 1) * error;
    double low = medians.mean - reach, high = medians.mean + reach;
    interval.low = fmin(interval.low, medians.logarithms ? exp(low) : low);
    interval.high = fmax(interval.high, medians.logarithms ? exp(high) : high);
    if (medians.square > medians.expected)
        interval.effective =
            fmin(interval.effective,
                 fmax((double)starts, interval.effective * medians.expected / medians.square));
    return interval;
}

struct interval starts_ratio(const double *x, const double *y, const size_t *counts, size_t starts)
{
    const size_t count = count_all(counts, starts);
    double *ratios = malloc((count + 1) * sizeof *ratios);
    struct interval interval = {NAN, NAN, NAN, NAN};
    for (size_t i = 0; ratios && i < count; i++)
        ratios[i] = x[i] / y[i];
    if (ratios)
        interval = starts_interval(ratios, counts, starts);
    free(ratios);
    return interval;
}

/* The quantile 0.99 of chi-square, after Wilson and Hilferty (1931). */
static double chi_square(size_t freedom)
{
    const double z = 2.326, n = (double)freedom, spread = 2.0 / (9.0 * n);
    return n * pow(1.0 - spread + z * sqrt(spread), 3);
}

/* The variance of the starts' mean ranks, in units of that of starts that are alike. */
static double rank_variance(const double *ranks, const size_t *counts, size_t starts, size_t count)
{
    double squares = 0.0, all = (double)count;
    for (size_t start = 0; start < starts; start++) {
        double sum = 0.0;
        for (size_t i = 0; i < counts[start]; i++)
            sum += *ranks++;
        double distance = sum / (double)counts[start] - 0.5 * (all - 1.0);
        squares += (double)counts[start] * distance * distance;
    }
    return 12.0 / (all * (all + 1.0)) * squares;
}

int starts_differ(const double *values, const size_t *counts, size_t starts)
{
    size_t count = 0;
    double effective = 0.0;
    for (size_t start = 0; start < starts; start++) {
        if (counts[start] < STATISTICS_MINIMUM)
            return 0;
        effective += statistics_effective(values + count, counts[start]);
        count += counts[start];
    }
    double *ranks = malloc((count + 1) * sizeof *ranks);
    int differ = 0;
    if (starts > 1 && ranks && statistics_ranks(values, count, ranks))
        differ =
            rank_variance(ranks, counts, starts, count) * fmin(effective / (double)count, 1.0) >
            chi_square(starts - 1);
    free(ranks);
    return differ;
}
