#include "bench_loads.h"

#include <stdlib.h>

#include "common/clock.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/harness/scope.h"
#include "common/random.h"

struct loads loads_open(size_t entries, long chains, long steps, uint64_t seed)
{
    const size_t bytes = entries * sizeof(unsigned);
    const size_t chains_bytes = (size_t)chains * sizeof(unsigned);
    struct loads loads = {.chains = chains,
                          .steps = steps,
                          .starts = scope_allocate(MEMORY_PAGEABLE, chains_bytes),
                          .next = scope_allocate(MEMORY_DEVICE, bytes),
                          .places = scope_allocate(MEMORY_DEVICE, chains_bytes),
                          .words = scope_allocate(MEMORY_DEVICE, 2 * sizeof(unsigned))};
    unsigned *next = allocate_or_fail(entries, sizeof *next);
    cycle_make(&loads.cycle, entries, seed);
    cycle_next(&loads.cycle, next);
    check_cuda(cudaMemcpy(loads.next, next, bytes, cudaMemcpyHostToDevice));
    free(next);
    return loads;
}

static double wait_since(double start_s)
{
    check_cuda(cudaStreamSynchronize(0));
    return clock_now_s() - start_s;
}

static void clear_words(const struct loads *loads)
{
    check_cuda(cudaMemset(loads->words, 0, 2 * sizeof *loads->words));
    check_cuda(cudaDeviceSynchronize());
}

double loads_sample_barrier(struct loads *loads, struct loads_launch *launch)
{
    unsigned met;
    clear_words(loads);
    double start_s = clock_now_s();
    check_cuda(residency_meet(launch->blocks, launch->threads, loads->words, loads->words + 1, 0));
    double time_s = wait_since(start_s);
    check_cuda(cudaMemcpy(&met, loads->words + 1, sizeof met, cudaMemcpyDeviceToHost));
    launch->errors += launch->blocks - (long)met;
    return time_s;
}

static struct residency_chase chase_of(const struct loads *loads, const struct loads_launch *launch)
{
    return (struct residency_chase){.blocks = launch->blocks,
                                    .threads = launch->threads,
                                    .next = loads->next,
                                    .entries = loads->cycle.entries,
                                    .place = loads->places,
                                    .chains = loads->chains,
                                    .steps = loads->steps};
}

double loads_sample_stream(struct loads *loads, struct loads_launch *launch)
{
    const struct residency_chase chase = chase_of(loads, launch);
    const size_t entries = loads->cycle.entries;
    unsigned sum;
    clear_words(loads);
    double start_s = clock_now_s();
    check_cuda(residency_sum(&chase, loads->words, 0));
    double time_s = wait_since(start_s);
    check_cuda(cudaMemcpy(&sum, loads->words, sizeof sum, cudaMemcpyDeviceToHost));
    /* Each entry points to another, so that all numbers below `entries` are added. */
    launch->errors += sum != (unsigned)(entries * (entries - 1) / 2);
    return time_s;
}

static long wrong_places(const struct loads *loads)
{
    const size_t bytes = (size_t)loads->chains * sizeof(unsigned);
    unsigned *places = allocate_or_fail((size_t)loads->chains, sizeof *places);
    check_cuda(cudaMemcpy(places, loads->places, bytes, cudaMemcpyDeviceToHost));
    const long wrong =
        cycle_wrong(&loads->cycle, loads->starts, places, loads->chains, loads->steps);
    free(places);
    return wrong;
}

double loads_sample_chase(struct loads *loads, struct loads_launch *launch)
{
    const struct residency_chase chase = chase_of(loads, launch);
    for (long i = 0; i < loads->chains; i++)
        loads->starts[i] = (unsigned)random_below(loads->turn, (uint64_t)i, loads->cycle.entries);
    loads->turn++;
    check_cuda(cudaMemcpy(loads->places, loads->starts, (size_t)loads->chains * sizeof(unsigned),
                          cudaMemcpyHostToDevice));
    double start_s = clock_now_s();
    check_cuda(residency_chase(&chase, 0));
    double time_s = wait_since(start_s);
    launch->errors += wrong_places(loads);
    return time_s;
}
