#include "stealing_task.h"

#include <omp.h>

#include "common/random.h"

uint64_t stealing_sum(const uint64_t *data, size_t count, int64_t begin, int64_t end)
{
    uint64_t sum = 0;
    size_t at = (size_t)begin % count;
    for (int64_t step = begin; step < end; step++) {
        sum += random_bits(data[at], (uint64_t)step);
        if (++at == count)
            at = 0;
    }
    return sum;
}

uint64_t stealing_compute(const uint64_t *data, size_t count, int64_t steps, int *threads)
{
    uint64_t sum = 0;
    int came = 0;
#pragma omp parallel reduction(+ : sum, came)
    {
        int64_t all = omp_get_num_threads(), own = omp_get_thread_num();
        sum += stealing_sum(data, count, steps * own / all, steps * (own + 1) / all);
        came++;
    }
    *threads = came;
    return sum;
}
