#include "tasks.h"

#include "common/random.h"

const char *const tasks_cost_names[] = {
    [TASKS_EQUAL] = "equal", [TASKS_RANDOM] = "random", [TASKS_SKEWED] = "skewed", NULL};

static int64_t at_least_one(int64_t iterations)
{
    return iterations > 1 ? iterations : 1;
}

void tasks_set_iterations(enum tasks_cost cost, int count, int64_t mean, uint64_t seed,
                          int64_t *iterations)
{
    int heavy = (count + 9) / 10;
    int64_t half = mean * count / 2;
    for (int i = 0; i < count; i++) {
        int64_t wanted = mean;
        if (cost == TASKS_RANDOM)
            wanted = (int64_t)random_below(seed, (uint64_t)i, 2 * (uint64_t)mean + 1);
        else if (cost == TASKS_SKEWED)
            wanted = half / (i < count - heavy ? count - heavy : heavy);
        iterations[i] = at_least_one(wanted);
    }
}

/* Sums of unsigned integers do not depend on the order in which threads add them. */
uint64_t tasks_compute(uint64_t seed, int task, int64_t iterations, const uint64_t *input,
                       size_t words, int threads)
{
    uint64_t sum = 0, own_seed = random_bits(seed, (uint64_t)task);
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : sum)
    for (int64_t i = 0; i < iterations; i++)
        sum += random_bits(own_seed, (uint64_t)i);
    for (size_t i = 0; i < words; i++)
        sum += (2 * i + 1) * input[i];
    return sum;
}

double tasks_unbalance(const int *done, int images)
{
    int64_t all = 0;
    int most = 0;
    for (int i = 0; i < images; i++) {
        all += done[i];
        most = done[i] > most ? done[i] : most;
    }
    return all == 0 ? 0 : ((double)most * images / (double)all - 1) * 100;
}
