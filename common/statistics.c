#include "statistics.h"

#include <math.h>
#include <stdbool.h>
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
        return (struct interval){NAN, NAN, NAN};
    size_t cut = ranks_to_cut(count);
    if (cut > 0)
        cut--; /* the j-th smallest value is sorted[j - 1] */
    return (struct interval){statistics_quantile(sorted, count, 0.5), sorted[cut],
                             sorted[count - 1 - cut]};
}

int statistics_separate(struct interval a, struct interval b)
{
    return a.high < b.low || b.high < a.low;
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

struct ranked {
    double value;
    size_t place;
};

static int compare_ranked(const void *a, const void *b)
{
    return compare_doubles(&((const struct ranked *)a)->value, &((const struct ranked *)b)->value);
}

/* Of `count` >= 2 values; false if there is no memory. */
static bool mean_ranks(const double *values, size_t count, double *ranks)
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
    if (ranks && mean_ranks(x, count, ranks) && mean_ranks(y, count, ranks + count))
        correlation = correlation_of_ranks(ranks, ranks + count, count);
    free(ranks);
    return correlation;
}
