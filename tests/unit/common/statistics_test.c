#include <math.h>
#include <string.h>

#include "common/random.h"
#include "common/statistics.h"
#include "tests/unit/test.h"

static int close_to(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(1.0, fabs(b));
}

static void sorting_and_quantiles(void)
{
    double values[] = {5, 1, 4, 2, 3};
    statistics_sort(values, 5);
    for (int i = 0; i < 5; i++)
        expect(values[i] == i + 1);
    expect(statistics_quantile(values, 5, 0.5) == 3);
    expect(statistics_quantile(values, 5, 0.0) == 1);
    expect(statistics_quantile(values, 5, 1.0) == 5);
    expect(statistics_quantile(values, 4, 0.5) == 2.5);
    expect(isnan(statistics_quantile(values, 0, 0.5)));
}

/* Ranks from published tables of the sign test: n = 10 -> (2, 9), n = 20 -> (6, 15), n = 100 ->
 * (40, 61). */
static void median_interval_ranks(void)
{
    double values[100];
    for (int i = 0; i < 100; i++)
        values[i] = i + 1;
    struct interval ten = statistics_median(values, 10);
    expect(ten.low == 2 && ten.high == 9 && ten.median == 5.5);
    struct interval twenty = statistics_median(values, 20);
    expect(twenty.low == 6 && twenty.high == 15);
    struct interval hundred = statistics_median(values, 100);
    expect(hundred.low == 40 && hundred.high == 61);
    struct interval three = statistics_median(values, 3);
    expect(three.low == 1 && three.high == 3);
    expect(isnan(statistics_median(values, 0).median));
}

/* The interval is what it says: over many samples of a skewed distribution it covers the true
 * median in at least 95 % of the cases, and not always. */
static void median_interval_covers(void)
{
    enum { TRIALS = 4000, SAMPLES = 15 };
    int covered = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        double values[SAMPLES];
        for (int i = 0; i < SAMPLES; i++)
            values[i] = -log(1.0 - random_uniform(7, (uint64_t)(trial * SAMPLES + i)));
        statistics_sort(values, SAMPLES);
        struct interval interval = statistics_median(values, SAMPLES);
        covered += interval.low <= log(2.0) && log(2.0) <= interval.high;
    }
    expect(covered >= TRIALS * 94 / 100);
    expect(covered < TRIALS);
}

/* In the order of measurement: dependent samples say less, and equal ones all they can. */
static void effective_samples(void)
{
    enum { COUNT = 40 };
    double random[COUNT], rising[COUNT], equal[COUNT], wave[COUNT];
    for (int i = 0; i < COUNT; i++) {
        random[i] = 1.0 + random_uniform(3, (uint64_t)i);
        rising[i] = 1.0 + i;
        equal[i] = 1.0;
        wave[i] = 1.0 + i % 2;
    }
    expect(statistics_effective(random, COUNT) > 20);
    expect(statistics_effective(rising, COUNT) < 5);
    expect(statistics_effective(equal, COUNT) <= COUNT && statistics_effective(equal, COUNT) > 20);
    expect(statistics_effective(wave, COUNT) == COUNT);
    expect(statistics_effective(rising, 9) == 9);
    expect(statistics_interval(rising, COUNT).low > 0.0);
    expect(statistics_interval(rising, COUNT).median == 20.5);
    expect(isnan(statistics_interval(rising, 0).median));
    expect(statistics_halves_separate(rising, COUNT));
    expect(!statistics_halves_separate(random, COUNT));
    expect(!statistics_halves_separate(rising, 19));
}

static void separation(void)
{
    struct interval low = {2, 1, 3, 9}, high = {5, 4, 6, 9}, wide = {4, 2, 6, 9};
    expect(statistics_separate(low, high));
    expect(statistics_separate(high, low));
    expect(!statistics_separate(low, wide));
}

static void lines(void)
{
    double x[] = {1, 2, 3, 4}, y[] = {3, 5, 7, 9}, flat[] = {2, 2, 2, 2};
    struct line line = statistics_line(x, y, 4);
    expect(close_to(line.slope, 2) && close_to(line.intercept, 1) && close_to(line.r2, 1));
    line = statistics_line(x, flat, 4);
    expect(close_to(line.slope, 0) && close_to(line.r2, 1));
    expect(isnan(statistics_line(flat, y, 4).slope));
    expect(isnan(statistics_line(x, y, 1).slope));
    double noisy[] = {1, 3, 2, 4}; /* r = 0.8 */
    expect(close_to(statistics_line(x, noisy, 4).r2, 0.64));
}

static void spearman(void)
{
    double x[] = {1, 2, 3, 4, 5}, up[] = {1, 8, 27, 64, 125}, down[] = {9, 7, 5, 3, 1};
    double ties[] = {1, 2, 2, 3, 3}, flat[] = {1, 1, 1, 1, 1};
    expect(close_to(statistics_spearman(x, up, 5), 1));
    expect(close_to(statistics_spearman(x, down, 5), -1));
    expect(close_to(statistics_spearman(x, ties, 5), 9.0 / sqrt(10.0 * 9.0)));
    expect(isnan(statistics_spearman(x, flat, 5)));
    expect(isnan(statistics_spearman(x, up, 1)));
}

int main(void)
{
    run_test(sorting_and_quantiles);
    run_test(median_interval_ranks);
    run_test(median_interval_covers);
    run_test(effective_samples);
    run_test(separation);
    run_test(lines);
    run_test(spearman);
    return end_tests();
}
