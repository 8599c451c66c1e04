#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/measure.h"
#include "common/harness/program.h"
#include "common/random.h"
#include "tests/unit/test.h"

enum { SUBJECTS = 4, MOST = 64 };

/* ---- the order of a repetition ---- */

static bool is_permutation(const size_t *order, size_t count)
{
    bool seen[MOST] = {false};
    for (size_t i = 0; i < count; i++) {
        if (order[i] >= count || seen[order[i]])
            return false;
        seen[order[i]] = true;
    }
    return true;
}

static void each_repetition_has_each_subject_once(void)
{
    size_t order[MOST];
    for (size_t count = 1; count <= MOST; count++)
        for (size_t repetition = 0; repetition < 20; repetition++) {
            measure_permutation(order, count, 42, repetition);
            expect(is_permutation(order, count));
        }
}

static void seed_and_repetition_decide(void)
{
    size_t one[MOST], two[MOST];
    measure_permutation(one, MOST, 1, 5);
    measure_permutation(two, MOST, 1, 5);
    expect(memcmp(one, two, sizeof one) == 0);
    measure_permutation(two, MOST, 1, 6);
    expect(memcmp(one, two, sizeof one) != 0);
    measure_permutation(two, MOST, 2, 5);
    expect(memcmp(one, two, sizeof one) != 0);
}

/* Each of the 24 orders of four comes as often as the others, within five standard deviations. */
static void orders_are_equally_frequent(void)
{
    enum { REPETITIONS = 24000 };
    int frequency[256] = {0}, kinds = 0;
    for (size_t repetition = 0; repetition < REPETITIONS; repetition++) {
        size_t order[SUBJECTS];
        measure_permutation(order, SUBJECTS, 42, repetition);
        frequency[order[0] * 64 + order[1] * 16 + order[2] * 4 + order[3]]++;
    }
    double expected = REPETITIONS / 24.0;
    for (int i = 0; i < 256; i++) {
        kinds += frequency[i] > 0;
        expect(frequency[i] == 0 || fabs(frequency[i] - expected) < 5 * sqrt(expected));
    }
    expect(kinds == 24);
}

/* ---- what is sampled ---- */

struct trace {
    int samples, order[MOST];
    int prepared; /* the subject that `before` was called for last */
};

struct fake {
    int number;
    struct trace *trace;
};

static void prepare(void *context)
{
    struct fake *fake = context;
    fake->trace->prepared = fake->number;
}

static double sample(void *context)
{
    struct fake *fake = context;
    struct trace *trace = fake->trace;
    expect(trace->prepared == fake->number);
    trace->prepared = -1;
    trace->order[trace->samples++] = fake->number;
    return fake->number + 0.001 * trace->samples;
}

static void samples_follow_the_orders(void)
{
    enum { REPETITIONS = 8, WARMUP = 2 };
    struct trace trace = {.prepared = -1};
    struct run run = {.settings = {.iterations = REPETITIONS, .warmup = WARMUP, .seed = 7}};
    struct fake fakes[SUBJECTS];
    struct subject subjects[SUBJECTS];
    for (int i = 0; i < SUBJECTS; i++) {
        fakes[i] = (struct fake){i, &trace};
        subjects[i] = (struct subject){.sample = sample, .before = prepare, .context = &fakes[i]};
    }
    measure(&run, subjects, SUBJECTS);
    expect(trace.samples == SUBJECTS * (REPETITIONS + WARMUP));
    for (int i = 0; i < SUBJECTS * WARMUP; i++)
        expect(trace.order[i] == i / WARMUP);
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
        size_t order[SUBJECTS];
        measure_permutation(order, SUBJECTS, 7, (size_t)repetition);
        for (int i = 0; i < SUBJECTS; i++) {
            int place = SUBJECTS * (WARMUP + repetition) + i;
            int number = trace.order[place];
            expect(number == (int)order[i]);
            expect(subjects[number].times_s[repetition] == number + 0.001 * (place + 1));
        }
    }
    for (int i = 0; i < SUBJECTS; i++)
        expect(subjects[i].count == REPETITIONS);
    measure_free(subjects, SUBJECTS);
}

/* ---- the interval covers the true median, whenever the rule stops ---- */

/* A process of unit variance: first-order autoregressive, or independent around a line that rises
 * by `rise` in 100 samples. */
struct process {
    const char *name;
    double correlation, rise;
};

struct simulation {
    const struct process *process;
    double spread; /* standard deviation of a time, whose median is 1 s at first */
    uint64_t seed, next;
    size_t taken;
    double state;
};

static double normal(struct simulation *simulation)
{
    double radius = sqrt(-2.0 * log(1.0 - random_uniform(simulation->seed, simulation->next++)));
    return radius * cos(2.0 * M_PI * random_uniform(simulation->seed, simulation->next++));
}

static double simulated_time(void *context)
{
    struct simulation *simulation = context;
    double correlation = simulation->process->correlation;
    double scale = simulation->taken == 0 ? 1.0 : sqrt(1.0 - correlation * correlation);
    simulation->state = correlation * simulation->state + scale * normal(simulation);
    double line = simulation->process->rise * (double)simulation->taken++ / 100.0;
    return 1.0 + simulation->spread * (simulation->state + line);
}

/* COVERAGE_SEED: other random numbers than those that the intervals were tried with. */
static uint64_t first_seed(void)
{
    const char *seed = getenv("COVERAGE_SEED");
    return seed ? strtoull(seed, NULL, 10) : 5000;
}

/* Per cent of the trials whose interval covers the median of what was sampled. */
static double coverage(const struct process *process, struct settings settings, double spread,
                       double *mean_count, double *mean_effective)
{
    enum { TRIALS = 1500 };
    int covered = 0;
    *mean_count = *mean_effective = 0.0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        struct simulation simulation = {process, spread, first_seed() + trial, 0, 0, 0.0};
        struct subject subject = {.sample = simulated_time, .context = &simulation};
        struct run run = {.settings = settings};
        measure(&run, &subject, 1);
        struct interval interval = measure_interval(&subject);
        double median = 1.0 + spread * process->rise * (double)(subject.count - 1) / 200.0;
        covered += interval.low <= median && median <= interval.high;
        *mean_count += (double)subject.count / TRIALS;
        *mean_effective += interval.effective / TRIALS;
        measure_free(&subject, 1);
    }
    return 100.0 * covered / TRIALS;
}

static void intervals_cover_under_drift(void)
{
    static const struct process processes[] = {
        {"independent", 0.0, 0.0}, {"AR(0.5)", 0.5, 0.0}, {"AR(0.8)", 0.8, 0.0},
        {"slow trend", 0.0, 0.5},  {"trend", 0.0, 1.5},
    };
    static const struct {
        const char *name;
        int iterations;
        double spread;
    } rules[] = {
        {"noise 2 %, spread 2 %", 0, 0.02},
        {"noise 2 %, spread 5 %", 0, 0.05},
        {"30 repetitions", 30, 0.02},
        {"100 repetitions", 100, 0.02},
    };
    printf("# %-24s %-12s coverage %%   n  n_effective\n", "rule", "samples");
    for (size_t rule = 0; rule < sizeof rules / sizeof *rules; rule++)
        for (size_t i = 0; i < sizeof processes / sizeof *processes; i++) {
            struct settings settings = {
                .iterations = rules[rule].iterations, .noise = 0.02, .min_time_s = 1e6};
            /* So steep a trend goes on until the time is used up: the fixed counts stand for it. */
            if (rules[rule].iterations == 0 && processes[i].rise > 1.0)
                continue;
            double count, effective,
                covered = coverage(&processes[i], settings, rules[rule].spread, &count, &effective);
            printf("# %-24s %-12s %7.1f  %6.0f  %6.0f\n", rules[rule].name, processes[i].name,
                   covered, count, effective);
            expect(covered >= 93.0);
        }
}

int main(void)
{
    run_test(each_repetition_has_each_subject_once);
    run_test(seed_and_repetition_decide);
    run_test(orders_are_equally_frequent);
    run_test(samples_follow_the_orders);
    run_test(intervals_cover_under_drift);
    return end_tests();
}
