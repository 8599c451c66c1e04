#include <math.h>

#include "common/random.h"
#include "common/starts.h"
#include "tests/unit/test.h"

enum { STARTS = 20, COUNT = 40, TRIALS = 1500 };

/* Times of several starts of a process around a median of 1 s: each start is off by an amount of
 * its own, and its repetitions have a standard deviation of 2 %. */
struct process {
    const char *name;
    double
        start_spread;   /* standard deviation of the starts' amounts, in those of the repetitions */
    double modes;       /* or each start has one of two, so far apart */
    double correlation; /* of neighbouring repetitions */
};

static uint64_t seed, next;

static double uniform(void)
{
    return random_uniform(seed, next++);
}

static double normal(void)
{
    return sqrt(-2.0 * log(1.0 - uniform())) * cos(2.0 * M_PI * uniform());
}

static void sample(const struct process *process, double *values, const size_t *counts,
                   size_t starts)
{
    const double own = sqrt(1.0 - process->correlation * process->correlation);
    for (size_t start = 0; start < starts; start++) {
        double off = process->start_spread * normal();
        if (process->modes > 0.0)
            off = process->modes * (uniform() < 0.5 ? -0.5 : 0.5);
        double state = normal();
        for (size_t i = 0; i < counts[start]; i++) {
            *values++ = 1.0 + 0.02 * (off + state);
            state = process->correlation * state + own * normal();
        }
    }
}

struct found {
    double covered, differ, width, effective; /* in per cent; s; samples */
};

static struct found simulate(const struct process *process, size_t starts, size_t count)
{
    struct found found = {0};
    double values[STARTS * COUNT];
    size_t counts[STARTS];
    for (size_t start = 0; start < starts; start++)
        counts[start] = count;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        seed = 900 + trial;
        next = 0;
        sample(process, values, counts, starts);
        struct interval interval = starts_interval(values, counts, starts);
        found.covered += 100.0 * (interval.low <= 1.0 && 1.0 <= interval.high) / TRIALS;
        found.differ += 100.0 * starts_differ(values, counts, starts) / TRIALS;
        found.width += (interval.high - interval.low) / TRIALS;
        found.effective += interval.effective / TRIALS;
    }
    return found;
}

static void intervals_cover_what_starts_add(void)
{
    static const struct process processes[] = {
        {"alike", 0.0, 0.0, 0.0},
        {"alike, AR(0.5)", 0.0, 0.0, 0.5},
        {"half as far apart", 0.5, 0.0, 0.0},
        {"as far apart", 1.0, 0.0, 0.0},
        {"as far apart, AR(0.8)", 1.0, 0.0, 0.8},
        {"three times as far apart", 3.0, 0.0, 0.5},
    };
    static const size_t shapes[][2] = {{2, 20}, {3, 10}, {3, 40}, {5, 20}, {10, 10}};
    printf("# %-25s starts  repetitions  coverage %%  differ %%  width %%  n_effective\n",
           "starts");
    for (size_t i = 0; i < sizeof processes / sizeof *processes; i++)
        for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++) {
            size_t starts = shapes[shape][0], count = shapes[shape][1];
            struct found found = simulate(&processes[i], starts, count);
            printf("# %-25s %4zu %10zu %14.1f %9.1f %9.2f %9.1f\n", processes[i].name, starts,
                   count, found.covered, found.differ, 100.0 * found.width, found.effective);
            expect(found.covered >= 93.0);
            expect(processes[i].start_spread > 0.0 || found.differ <= 1.5);
            expect(processes[i].start_spread < 1.0 || processes[i].correlation > 0.6 ||
                   starts < 5 || found.differ >= 80.0);
        }
}

/* Two modes are found by as many starts as it takes for not all of them to have the same. */
static void modes_need_several_starts(void)
{
    static const struct process modes = {"two modes", 0.0, 10.0, 0.0};
    expect(simulate(&modes, 6, 10).covered >= 93.0);
    expect(simulate(&modes, 2, 10).covered < 85.0);
}

/* The samples of all starts, taken for those of one, are said to be known far too well. */
static void starts_are_not_repetitions(void)
{
    static const struct process process = {"as far apart", 1.0, 0.0, 0.0};
    static const size_t counts[] = {20, 20, 20, 20, 20};
    double values[5 * 20];
    int covered = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        seed = 900 + trial;
        next = 0;
        sample(&process, values, counts, 5);
        statistics_sort(values, 5 * 20);
        struct interval interval = statistics_median(values, 5 * 20);
        covered += interval.low <= 1.0 && 1.0 <= interval.high;
    }
    expect(covered < TRIALS * 70 / 100);
}

static void one_start_is_as_without(void)
{
    double values[COUNT];
    const size_t counts[] = {COUNT};
    for (int i = 0; i < COUNT; i++)
        values[i] = 1.0 + random_uniform(4, (uint64_t)i);
    struct interval one = starts_interval(values, counts, 1);
    struct interval plain = statistics_interval(values, COUNT);
    expect(one.low == plain.low && one.high == plain.high && one.median == plain.median &&
           one.effective == plain.effective);
    expect(!starts_differ(values, counts, 1));
    expect(isnan(starts_interval(values, counts, 0).median));
}

/* What disturbs both of a pair, or a whole start, does not disturb their ratio. */
static void paired_ratios(void)
{
    static const size_t one[] = {30}, five[] = {6, 6, 6, 6, 6};
    double slow[30], fast[30];
    for (int i = 0; i < 30; i++) {
        fast[i] = 1.0 + random_uniform(5, (uint64_t)i) + i / 6; /* what disturbs both */
        slow[i] = fast[i] * (1.1 + 0.01 * random_uniform(6, (uint64_t)i));
    }
    struct interval ratio = starts_ratio(slow, fast, one, 1);
    expect(ratio.low > 1.1 && ratio.high < 1.11 && ratio.low < ratio.high);
    ratio = starts_ratio(slow, fast, five, 5);
    expect(ratio.low > 1.09 && ratio.high < 1.12 && ratio.low < ratio.high);
    expect(starts_differ(slow, five, 5));
}

static void odd_values(void)
{
    const double equal[] = {2, 2, 2, 2, 2, 2}, negative[] = {-1, -1, -1, 3, 3, 3};
    const size_t halves[] = {3, 3}, single[] = {1, 1, 1, 1, 1, 1};
    struct interval interval = starts_interval(equal, halves, 2);
    expect(interval.low == 2 && interval.high == 2 && interval.median == 2);
    interval = starts_interval(negative, halves, 2);
    expect(interval.low < -1 && interval.high > 3 && interval.median == 1);
    interval = starts_interval(negative, single, 6);
    expect(interval.low <= -1 && interval.high >= 3 && interval.effective == 6);
    expect(!starts_differ(negative, halves, 2)); /* too few repetitions */
}

int main(void)
{
    run_test(intervals_cover_what_starts_add);
    run_test(modes_need_several_starts);
    run_test(starts_are_not_repetitions);
    run_test(one_start_is_as_without);
    run_test(paired_ratios);
    run_test(odd_values);
    return end_tests();
}
