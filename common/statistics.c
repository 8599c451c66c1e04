#include "statistics.h"

#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

void statistics_sort(double *values, size_t count)
{
    if (count > 1)
        qsort(values, count, sizeof *values, compare_doubles);
}

double statistics_quantile(const double *sorted, size_t count, double q)
{
    if (count == 0)
        return NAN;
    double position = q * (double)(count - 1);
    size_t below = (size_t)position;
    if (below + 1 >= count)
        return sorted[count - 1];
    double share = position - (double)below;
    return sorted[below] + share * (sorted[below + 1] - sorted[below]);
}

/* Largest number of samples that may be cut off at each end so that the rest still covers the
 * median with 95 %: the largest j with P(binomial(n, 1/2) < j) <= 2.5 %. */
static size_t ranks_to_cut(size_t count)
{
    double log_half_power = (double)count * log(0.5);
    double log_choose = 0.0;
    double below = 0.0;
    for (size_t j = 0; j < count / 2; j++) {
        below += exp(log_choose + log_half_power);
        if (below > 0.025)
            return j;
        log_choose += log((double)(count - j)) - log((double)(j + 1));
    }
    return count / 2;
}

struct interval statistics_median(const double *sorted, size_t count)
{
    if (count == 0)
        return (struct interval){NAN, NAN, NAN, 0};
    size_t cut = ranks_to_cut(count);
    if (cut > 0)
        cut--; /* the j-th smallest value is sorted[j - 1] */
    return (struct interval){statistics_quantile(sorted, count, 0.5), sorted[cut],
                             sorted[count - 1 - cut], (double)count};
}

int statistics_separate(struct interval a, struct interval b)
{
    return a.high < b.low || b.high < a.low;
}

struct ranked {
    double value;
    size_t place;
};

static int compare_ranked(const void *a, const void *b)
{
    return compare_doubles(&((const struct ranked *)a)->value, &((const struct ranked *)b)->value);
}

bool statistics_ranks(const double *values, size_t count, double *ranks)
{
    struct ranked *order = malloc(count * sizeof *order);
    if (!order)
        return false;
    for (size_t i = 0; i < count; i++)
        order[i] = (struct ranked){values[i], i};
    qsort(order, count, sizeof *order, compare_ranked);
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && order[next].value == order[first].value;)
            next++;
        for (size_t i = first; i < next; i++)
            ranks[order[i].place] = 0.5 * (double)(first + next - 1);
    }
    free(order);
    return true;
}

/* An upper estimate of the correlation of neighbours. `ranks` have the mean (count - 1) / 2. */
static double neighbour_correlation(const double *ranks, size_t count)
{
    double mean = 0.5 * (double)(count - 1), n = (double)count;
    double square = 0.0, product = 0.0;
    for (size_t i = 0; i < count; i++) {
        square += (ranks[i] - mean) * (ranks[i] - mean);
        if (i > 0)
            product += (ranks[i] - mean) * (ranks[i - 1] - mean);
    }
    if (square == 0.0)
        return 0.0;
    double estimate = (n * product / square + 1.0) / (n - 4.0); /* the bias is -(1 + 4 r) / n */
    double error = sqrt((fmax(0.0, 1.0 - estimate * estimate) + 2.0 / n) / n);
    return estimate + error;
}

double statistics_effective(const double *values, size_t count)
{
    const double strongest = 0.95, negligible = 1e-3;
    if (count < STATISTICS_ORDERED)
        return (double)count;
    double *ranks = malloc(count * sizeof *ranks);
    double correlation = NAN;
    if (ranks && statistics_ranks(values, count, ranks))
        correlation = neighbour_correlation(ranks, count);
    free(ranks);
    if (isnan(correlation))
        return NAN;
    correlation = fmin(correlation, strongest);
    double samples = 1.0, power = correlation; /* that are worth an independent one */
    for (size_t lag = 1; lag < count && power > negligible; lag++, power *= correlation)
        samples += 2.0 * (1.0 - (double)lag / (double)count) * (2.0 / M_PI) * asin(power);
    return (double)count / samples;
}

/* The value at a place between 0 and count - 1. */
static double value_at(const double *sorted, size_t count, double place)
{
    return statistics_quantile(sorted, count, place / (double)(count - 1));
}

/* Times are positive: then the distance is one of logarithms, and the end stays positive. */
static double widen(double median, double end, double factor, bool positive)
{
    if (positive)
        return median * pow(end / median, factor);
    return median + factor * (end - median);
}

struct interval statistics_worth(const double *sorted, size_t count, double effective)
{
    if (effective >= (double)count)
        return statistics_median(sorted, count);
    size_t independent = (size_t)fmax(effective, STATISTICS_MINIMUM);
    size_t rank = ranks_to_cut(independent);
    double place = ((double)rank - 0.5) / (double)independent * (double)count - 0.5;
    struct interval interval = {statistics_quantile(sorted, count, 0.5),
                                value_at(sorted, count, place),
                                value_at(sorted, count, (double)(count - 1) - place), effective};
    if (effective < STATISTICS_MINIMUM) {
        double factor = STATISTICS_MINIMUM / effective;
        bool positive = sorted[0] > 0.0;
        interval.low = widen(interval.median, interval.low, factor, positive);
        interval.high = widen(interval.median, interval.high, factor, positive);
    }
    return interval;
}

struct interval statistics_interval(const double *values, size_t count)
{
    double effective = statistics_effective(values, count);
    double *sorted = malloc((count + 1) * sizeof *sorted);
    struct interval interval = {NAN, NAN, NAN, NAN};
    if (sorted && !isnan(effective)) {
        for (size_t i = 0; i < count; i++)
            sorted[i] = values[i];
        statistics_sort(sorted, count);
        interval = statistics_worth(sorted, count, effective);
    }
    free(sorted);
    return interval;
}

/* Of independent values: the question is whether they are. */
static struct interval interval_of_part(const double *values, size_t count)
{
    double *sorted = malloc(count * sizeof *sorted);
    struct interval interval = {NAN, NAN, NAN, NAN};
    for (size_t i = 0; sorted && i < count; i++)
        sorted[i] = values[i];
    if (sorted) {
        statistics_sort(sorted, count);
        interval = statistics_median(sorted, count);
    }
    free(sorted);
    return interval;
}

int statistics_halves_separate(const double *values, size_t count)
{
    if (count < STATISTICS_HALVES)
        return 0;
    size_t half = count / 2;
    return statistics_separate(interval_of_part(values, half),
                               interval_of_part(values + half, count - half));
}

struct line statistics_line(const double *x, const double *y, size_t count)
{
    double mean_x = 0.0, mean_y = 0.0;
    for (size_t i = 0; i < count; i++) {
        mean_x += x[i] / (double)count;
        mean_y += y[i] / (double)count;
    }
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (size_t i = 0; i < count; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
    }
    if (count < 2 || xx == 0.0)
        return (struct line){NAN, NAN, NAN};
    double slope = xy / xx;
    double r2 = yy > 0.0 ? xy * xy / (xx * yy) : 1.0;
    return (struct line){mean_y - slope * mean_x, slope, r2};
}

static double correlation_of_ranks(const double *rank_x, const double *rank_y, size_t count)
{
    double mean = 0.5 * (double)(count - 1);
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (size_t i = 0; i < count; i++) {
        xx += (rank_x[i] - mean) * (rank_x[i] - mean);
        xy += (rank_x[i] - mean) * (rank_y[i] - mean);
        yy += (rank_y[i] - mean) * (rank_y[i] - mean);
    }
    return xx > 0.0 && yy > 0.0 ? xy / sqrt(xx * yy) : NAN;
}

double statistics_spearman(const double *x, const double *y, size_t count)
{
    if (count < 2)
        return NAN;
    double *ranks = malloc(2 * count * sizeof *ranks);
    double correlation = NAN;
    if (ranks && statistics_ranks(x, count, ranks) && statistics_ranks(y, count, ranks + count))
        correlation = correlation_of_ranks(ranks, ranks + count, count);
    free(ranks);
    return correlation;
}
