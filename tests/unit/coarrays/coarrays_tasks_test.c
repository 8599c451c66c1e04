/* Tasks that images share: their costs, their results, and the unbalance factor. */
#include <stdlib.h>

#include "coarrays/hetero/tasks.h"
#include "common/random.h"
#include "tests/unit/test.h"

enum { TASKS = 100, MEAN = 1000 };

static int64_t sum(const int64_t *values, int count)
{
    int64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

static void equal_tasks_have_the_mean(void)
{
    int64_t iterations[TASKS];
    tasks_set_iterations(TASKS_EQUAL, TASKS, MEAN, 1, iterations);
    for (int i = 0; i < TASKS; i++)
        expect(iterations[i] == MEAN);
}

static void random_tasks_spread_up_to_twice_the_mean(void)
{
    int64_t iterations[TASKS], again[TASKS], other[TASKS];
    int different = 0;
    tasks_set_iterations(TASKS_RANDOM, TASKS, MEAN, 1, iterations);
    tasks_set_iterations(TASKS_RANDOM, TASKS, MEAN, 1, again);
    tasks_set_iterations(TASKS_RANDOM, TASKS, MEAN, 2, other);
    for (int i = 0; i < TASKS; i++) {
        expect(iterations[i] >= 1 && iterations[i] <= 2 * MEAN);
        expect(iterations[i] == again[i]);
        different += iterations[i] != other[i];
    }
    expect(different > TASKS / 2);
    /* The standard error of the mean is 2 * MEAN / sqrt(12 * TASKS), about 58: five of them. */
    expect(labs((long)(sum(iterations, TASKS) / TASKS - MEAN)) < 290);
}

static void the_last_tenth_of_skewed_tasks_has_half(void)
{
    int64_t iterations[TASKS];
    tasks_set_iterations(TASKS_SKEWED, TASKS, 900, 1, iterations);
    expect(sum(iterations, TASKS) == 900 * TASKS);
    expect(sum(iterations + 90, 10) == 450 * TASKS);
    expect(iterations[0] == 500 && iterations[89] == 500 && iterations[90] == 4500);
    int64_t two[2];
    tasks_set_iterations(TASKS_SKEWED, 2, 1, 1, two);
    expect(two[0] == 1 && two[1] == 1);
}

/* ThreadSanitizer does not know libgomp's barriers. */
#ifdef __SANITIZE_THREAD__
enum { THREADS = 1 };
#else
enum { THREADS = 3 };
#endif

static void results_do_not_depend_on_threads(void)
{
    uint64_t input[9];
    random_fill_bytes(input, sizeof input, 3);
    for (int64_t iterations = 1; iterations < 300; iterations *= 7) {
        uint64_t right = 0, seed = random_bits(5, 2);
        for (int64_t i = 0; i < iterations; i++)
            right += random_bits(seed, (uint64_t)i);
        expect(tasks_compute(5, 2, iterations, NULL, 0, 1) == right);
        for (size_t i = 0; i < 9; i++)
            right += (2 * i + 1) * input[i];
        expect(tasks_compute(5, 2, iterations, input, 9, 1) == right);
        expect(tasks_compute(5, 2, iterations, input, 9, THREADS) == right);
        expect(tasks_compute(5, 3, iterations, input, 9, 1) != right);
    }
    uint64_t right = tasks_compute(5, 2, 1, input, 9, 1), word = input[0];
    input[0] = input[1];
    input[1] = word;
    expect(tasks_compute(5, 2, 1, input, 9, 1) != right);
}

static void unbalance_is_what_the_busiest_has_beyond_the_mean(void)
{
    expect(tasks_unbalance((int[]){5, 5, 5, 5}, 4) == 0);
    expect(tasks_unbalance((int[]){0, 0}, 2) == 0);
    expect(tasks_unbalance((int[]){7}, 1) == 0);
    expect(tasks_unbalance((int[]){20, 0, 0, 0}, 4) == 300);
    expect(tasks_unbalance((int[]){3, 6, 3}, 3) == 50);
    for (uint64_t i = 0; i < 100; i++) {
        int done[5];
        for (uint64_t k = 0; k < 5; k++)
            done[k] = (int)random_below(i, k, 50);
        expect(tasks_unbalance(done, 5) >= 0);
    }
}

int main(void)
{
    run_test(equal_tasks_have_the_mean);
    run_test(random_tasks_spread_up_to_twice_the_mean);
    run_test(the_last_tenth_of_skewed_tasks_has_half);
    run_test(results_do_not_depend_on_threads);
    run_test(unbalance_is_what_the_busiest_has_beyond_the_mean);
    return end_tests();
}
