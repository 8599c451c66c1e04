/* workloads_rounds_test.h: executes all rounds of a benchmark's region in the plainest way. */
#ifndef TESTS_UNIT_WORKLOADS_ROUNDS_TEST_H
#define TESTS_UNIT_WORKLOADS_ROUNDS_TEST_H

#include "common/harness/exit.h"

#include "workloads_test.h"

/* Wrong elements after a fresh execution of all rounds, with the arrays exchanged in between. */
static inline long errors_after_rounds(struct benchmark *benchmark, long chunk, bool rings)
{
    const struct dm_region *region = &benchmark->region;
    benchmark_reset(benchmark);
    for (long round = 0; round < region->rounds; round++) {
        struct dm_region now = *region;
        for (int a = 0; a < region->array_count; a++)
            now.arrays[a].host = dm_region_host(region, a, round);
        check_cuda(execute_in_chunks(&now, chunk, rings));
        if (region->between && round + 1 < region->rounds)
            region->between(region, round, region->between_context);
    }
    return benchmark_errors(benchmark);
}

#endif
