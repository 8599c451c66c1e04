#include <math.h>
#include <string.h>

#include "common/harness/measure.h"
#include "common/harness/program.h"
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

int main(void)
{
    run_test(each_repetition_has_each_subject_once);
    run_test(seed_and_repetition_decide);
    run_test(orders_are_equally_frequent);
    run_test(samples_follow_the_orders);
    return end_tests();
}
