/* statistics.h: what is said about a set of samples.
 *
 * Intervals are order statistics, so they assume nothing about the distribution of the times. */
#ifndef COMMON_STATISTICS_H
#define COMMON_STATISTICS_H

#include <stddef.h>

/* A median with its 95 % confidence interval. With fewer than 6 samples no order-statistic interval
 * reaches 95 %; then low and high are the extremes. */
struct interval {
    double median;
    double low;
    double high;
};

/* Sorts into ascending order, in place. */
void statistics_sort(double *values, size_t count);

/* Quantile 0 <= q <= 1 of ascending `sorted` values, linear between neighbours. NaN if count is 0.
 */
double statistics_quantile(const double *sorted, size_t count, double q);

/* Median and 95 % interval of ascending `sorted` values: the ranks are the tightest symmetric pair
 * (j, n+1-j) whose binomial(n, 1/2) coverage is at least 95 %. Source: Hahn and Meeker, Statistical
 * Intervals, 5.2. */
struct interval statistics_median(const double *sorted, size_t count);

/* The two intervals do not overlap: only then is one called faster than the other. */
int statistics_separate(struct interval a, struct interval b);

/* Least-squares line y = intercept + slope * x. r2 is the share of y's variance that it explains,
 * NaN where it is not defined (fewer than 2 points, or all x equal; 1 if all y are equal and
 * fitted). */
struct line {
    double intercept;
    double slope;
    double r2;
};
struct line statistics_line(const double *x, const double *y, size_t count);

/* Spearman's rank correlation in [-1, 1] with mean ranks for ties; NaN for fewer than 2 points, if
 * one side is constant, and if there is no memory. */
double statistics_spearman(const double *x, const double *y, size_t count);

#endif
