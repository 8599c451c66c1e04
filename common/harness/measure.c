#include "measure.h"

#include <math.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/random.h"

#include "program.h"

/* Who stops at the first narrow interval stops where it is too narrow by chance: the next two looks
 * must agree. */
enum { SAMPLES_MIN = 10, SAMPLES_MAX = 100000, QUIET_LOOKS = 3 };

static double take_sample(struct subject *subject)
{
    if (subject->before)
        subject->before(subject->context);
    ranks.barrier();
    return ranks.max(subject->sample(subject->context));
}

static void append(struct subject *subject, double time_s, size_t *capacity)
{
    if (subject->count == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 64;
        subject->times_s = realloc(subject->times_s, *capacity * sizeof(double));
        if (!subject->times_s)
            fail("no host memory for %zu samples: choose fewer with -n", *capacity);
    }
    subject->times_s[subject->count++] = time_s;
    if (subject->after)
        subject->after(subject->context, time_s);
}

struct interval measure_interval(const struct subject *subject)
{
    struct interval interval = statistics_interval(subject->times_s, subject->count);
    if (isnan(interval.median) && subject->count > 0)
        fail("no host memory for the interval of %zu samples", subject->count);
    return interval;
}

/* An interval that a few dependent samples happen to make narrow does not count. */
static bool is_quiet(const struct subject *subject, double noise)
{
    struct interval interval = measure_interval(subject);
    return interval.effective >= SAMPLES_MIN &&
           interval.high - interval.low <= 2.0 * noise * interval.median;
}

static bool all_quiet(const struct subject *subjects, size_t count, double noise)
{
    for (size_t i = 0; i < count; i++)
        if (!is_quiet(&subjects[i], noise))
            return false;
    return true;
}

/* Whether another repetition is wanted. The decision depends on times that are equal on all ranks,
 * except for the elapsed time, which is made equal here. */
static bool want_more(const struct settings *settings, const struct subject *subjects, size_t count,
                      double start_s, int *quiet_looks)
{
    size_t taken = subjects[0].count;
    if (settings->iterations > 0)
        return taken < (size_t)settings->iterations;
    if (taken < SAMPLES_MIN)
        return true;
    if (taken >= SAMPLES_MAX)
        return false;
    if (ranks.max(clock_now_s() - start_s) >= settings->min_time_s)
        return false;
    /* Sorting all samples each time would cost more than sampling: look at counts 10, 12, 15, 18,
     * ... */
    if (taken > 20 && taken % (taken / 5) != 0)
        return true;
    *quiet_looks = all_quiet(subjects, count, settings->noise) ? *quiet_looks + 1 : 0;
    return *quiet_looks < QUIET_LOOKS;
}

void measure_permutation(size_t *order, size_t count, uint64_t seed, size_t repetition)
{
    for (size_t i = 0; i < count; i++) {
        size_t j = random_below(seed, repetition * count + i, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

void measure(struct run *run, struct subject *subjects, size_t count)
{
    const struct settings *settings = &run->settings;
    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        subjects[i].times_s = NULL;
        subjects[i].count = 0;
        for (int warmup = 0; warmup < settings->warmup; warmup++)
            take_sample(&subjects[i]);
    }
    size_t *capacity = allocate_or_fail(count, sizeof *capacity);
    size_t *order = allocate_or_fail(count, sizeof *order);
    double start_s = clock_now_s();
    int quiet_looks = 0;
    do {
        measure_permutation(order, count, settings->seed, subjects[0].count);
        for (size_t i = 0; i < count; i++)
            append(&subjects[order[i]], take_sample(&subjects[order[i]]), &capacity[order[i]]);
    } while (want_more(settings, subjects, count, start_s, &quiet_looks));
    free(order);
    free(capacity);
}

void measure_free(struct subject *subjects, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(subjects[i].times_s);
        subjects[i].times_s = NULL;
        subjects[i].count = 0;
    }
}
