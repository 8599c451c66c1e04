/* statistics.h: what is said about a set of samples.
 *
 * Intervals are order statistics, so they assume nothing about the distribution of the times.
 * Samples of a machine depend on their neighbours and drift: statistics_interval() counts only as
 * many of them as are worth an independent one. */
#ifndef COMMON_STATISTICS_H
#define COMMON_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* A median with its 95 % confidence interval. With fewer than 6 samples no order-statistic interval
 * reaches 95 %; then low and high are the extremes. */
struct interval {
    double median;
    double low;
    double high;
    double effective; /* how many independent samples would say as much */
};

enum {
    STATISTICS_MINIMUM = 6,  /* fewer effective samples have no 95 % interval of order statistics */
    STATISTICS_ORDERED = 10, /* fewer samples say nothing about their dependence */
    STATISTICS_HALVES = 20,  /* fewer samples are not told apart by halves */
};

/* Sorts into ascending order, in place. */
void statistics_sort(double *values, size_t count);

/* Quantile 0 <= q <= 1 of ascending `sorted` values, linear between neighbours. NaN if count is 0.
 */
double statistics_quantile(const double *sorted, size_t count, double q);

/* Places of the values in ascending order, from 0; equal ones have the mean of theirs. False if
 * there is no memory. */
bool statistics_ranks(const double *values, size_t count, double *ranks);

/* Median and 95 % interval of ascending `sorted` values that are independent: the ranks are the
 * tightest symmetric pair (j, n+1-j) whose binomial(n, 1/2) coverage is at least 95 %. Source: Hahn
 * and Meeker, Statistical Intervals, 5.2. */
struct interval statistics_median(const double *sorted, size_t count);

/* How many independent samples determine the median as well as these, which stand in the order in
 * which they were measured: 1 to `count`. The correlation of neighbouring ranks, one standard error
 * above its estimate, stands for that of a first-order autoregressive process; what matters for a
 * median is the correlation of the signs. NaN if there is no memory. Sources: Marriott and Pope,
 * Bias in the estimation of autocorrelations (Biometrika 41, 1954); Kedem, Time Series Analysis by
 * Higher Order Crossings, 4.1 (the arcsine law of the signs). */
double statistics_effective(const double *values, size_t count);

/* The same of ascending values that say as much as `effective` independent ones: the ranks of so
 * many, on the scale of all. Below STATISTICS_MINIMUM of those the interval of that many is widened
 * in proportion to what is missing. */
struct interval statistics_worth(const double *sorted, size_t count, double effective);

/* Median and 95 % interval of values in the order of their measurement, which are worth
 * their statistics_effective(). NaNs if there is no memory. */
struct interval statistics_interval(const double *values, size_t count);

/* Whether the values drifted while they were measured: the intervals of their first and second half
 * separate, which happens to independent ones in less than 1 of 200 cases. */
int statistics_halves_separate(const double *values, size_t count);

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
