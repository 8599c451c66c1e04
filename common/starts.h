/* starts.h: what is said about samples of several starts of a process.
 *
 * What differs from start to start, such as where memory lies, no number of repetitions averages
 * out: starts are the samples then, and repetitions only say how well each of them is known.
 * counts[i] of the values are of start i; they stand together, in the order of their measurement.
 * Source: Kalibera and Jones, Rigorous Benchmarking in Reasonable Time (ISMM 2013), 6. */
#ifndef COMMON_STARTS_H
#define COMMON_STARTS_H

#include <stddef.h>

#include "statistics.h"

/* Median and 95 % interval: that of Student's distribution for the medians of the starts (of their
 * logarithms, if all are positive), and at least that of the repetitions and the median.
 * `effective` lies between the number of starts and that of the repetitions'
 * statistics_effective(). One start has its statistics_interval(). NaNs if there is no memory. */
struct interval starts_interval(const double *values, const size_t *counts, size_t starts);

/* The same for the ratios x[i] / y[i] of values that were measured in the same repetition: what
 * disturbs both does not disturb their ratio. */
struct interval starts_ratio(const double *x, const double *y, const size_t *counts, size_t starts);

/* Whether the starts differ by more than their repetitions explain, which starts that are alike
 * seem to in about 1 of 100 cases. Of fewer than STATISTICS_MINIMUM repetitions a start is not told
 * apart. Source: Kruskal and Wallis, Use of Ranks in One-Criterion Variance Analysis (JASA 47,
 * 1952), with as many samples as the repetitions are worth. */
int starts_differ(const double *values, const size_t *counts, size_t starts);

#endif
