/* fdtd2d and qcd: executed as a whole, in chunks and through rings that are smaller than the
 * arrays, with several blocks, and compared with the reference. */
#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "common/workloads/fdtd2d.h"
#include "common/workloads/qcd.h"
#include "tests/unit/test.h"

#include "workloads_test.h"

enum { KINDS = 2, WHOLE = 1 << 20 };

static const char *const kinds[KINDS] = {"fdtd2d", "qcd"};
static const size_t sizes[KINDS][4] = {{3, 4, 37, 130}, {2, 3, 4, 5}};
static const dim3 usual = {0, 0, 0};

static struct benchmark *create(const char *kind, size_t size, long rounds)
{
    return benchmark_create(benchmark_kind_of(kind), size, rounds, MEMORY_PAGEABLE, 5 + size);
}

static void whole_arrays_chunks_and_rings(void)
{
    static const long chunks[] = {1, 2, 3, 7, WHOLE};
    for (int k = 0; k < KINDS; k++)
        for (int s = 0; s < 4; s++) {
            struct benchmark *benchmark = create(kinds[k], sizes[k][s], 1);
            for (size_t c = 0; c < sizeof chunks / sizeof *chunks; c++) {
                expect(errors_in_chunks(benchmark, chunks[c], false, usual) == 0);
                expect(errors_in_chunks(benchmark, chunks[c], true, usual) == 0);
            }
            benchmark_release(benchmark);
        }
}

static void thread_blocks(void)
{
    static const dim3 blocks[] = {{32, 1, 1}, {32, 8, 1}, {7, 5, 1}, {1, 33, 1}, {128, 1, 1}};
    for (int k = 0; k < KINDS; k++) {
        struct benchmark *benchmark = create(kinds[k], sizes[k][2], 1);
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
            expect(errors_in_chunks(benchmark, 2, true, blocks[b]) == 0);
        expect(errors_in_chunks(benchmark, 2, true, (dim3){32, 33, 1}) == -1);
        expect(errors_in_chunks(benchmark, 2, true, (dim3){32, 1, 2}) == -1);
        expect(errors_in_chunks(benchmark, 2, true, (dim3){0, 8, 1}) == -1);
        benchmark_release(benchmark);
    }
}

static void iterations_outside_the_loop(void)
{
    struct dm_slices views[DM_REGION_ARRAYS] = {{0}};
    for (int k = 0; k < KINDS; k++) {
        struct benchmark *benchmark = create(kinds[k], 4, 1);
        const struct dm_region *region = &benchmark->region;
        long begin = region->begin, end = region->end;
        expect(region->launch(region, views, begin - 1, end, 0) == cudaErrorInvalidValue);
        expect(region->launch(region, views, begin, end + 1, 0) == cudaErrorInvalidValue);
        expect(region->launch(region, views, end, begin, 0) == cudaErrorInvalidValue);
        expect(region->launch(region, views, begin, begin, 0) == cudaSuccess);
        benchmark_release(benchmark);
    }
}

static void spoiled_elements_are_counted(void)
{
    for (int k = 0; k < KINDS; k++) {
        struct benchmark *benchmark = create(kinds[k], 4, 1);
        expect(errors_in_chunks(benchmark, 2, true, usual) == 0);
        float *result = benchmark->region.arrays[benchmark->region.array_count - 1].host;
        result[5] += 0.001f;
        expect(benchmark_errors(benchmark) == 1);
        result[6] = NAN;
        expect(benchmark_errors(benchmark) == 2);
        benchmark_reset(benchmark);
        expect(benchmark_errors(benchmark) >= 8);
        benchmark_release(benchmark);
    }
}

/* Fields without curl do not change hz; one element of hz changes what is around it. */
static void fdtd2d_by_hand(void)
{
    enum { N = 6 };
    struct benchmark *benchmark = create("fdtd2d", N, 1);
    struct dm_region *region = &benchmark->region;
    float *ex = region->arrays[FDTD2D_EX].host, *ey = region->arrays[FDTD2D_EY].host;
    float *hz = region->arrays[FDTD2D_HZ].host, *hz_new = region->arrays[FDTD2D_HZ_NEW].host;
    for (int at = 0; at < N * N; at++)
        ex[at] = 3.0f, ey[at] = -2.0f, hz[at] = 0.0f;
    hz[3 * N + 2] = 1.0f;
    expect(execute_in_chunks(region, 2, true) == cudaSuccess);
    for (int i = 1; i < N - 1; i++)
        for (int j = 0; j < N; j++) {
            bool here = i == 3 && j == 2, beside = abs(i - 3) + abs(j - 2) == 1;
            float expected = here ? 1.0f - 4 * 0.35f : beside ? 0.35f : 0.0f;
            expect(fabsf(hz_new[i * N + j] - expected) < 1e-6f);
        }
    benchmark_release(benchmark);
}

static void formulas(void)
{
    expect(fdtd2d_flops(10) == 880.0 && fdtd2d_bytes(10) == 1280.0 && fdtd2d_flops(2) == 0.0);
    expect(qcd_flops(2) == 16 * 1368.0);
    expect(qcd_bytes(2) == 8.0 * 8 * (12 * 4 + 36 * 3 + 12 * 2));
}

/* Copies of data set gib, both directions together. */
static void gib_data_sets(void)
{
    for (int k = 0; k < KINDS; k++) {
        const struct benchmark_kind *kind = benchmark_kind_of(kinds[k]);
        struct benchmark benchmark = {.kind = kind, .size = benchmark_size(kind, "gib")};
        kind->describe(&benchmark);
        size_t bytes = dm_region_bytes(&benchmark.region, DM_REGION_TO) +
                       dm_region_bytes(&benchmark.region, DM_REGION_FROM);
        expect(bytes <= (size_t)1 << 30 && bytes > (size_t)970 << 20);
    }
}

static bool is_refused(const char *kind, size_t size)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        create(kind, size, 1);
        _exit(0);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

static void impossible_sizes(void)
{
    expect(is_refused("fdtd2d", 2));
    expect(is_refused("fdtd2d", (size_t)1 << 21));
    expect(is_refused("qcd", 1));
    expect(is_refused("qcd", 257));
}

int main(void)
{
    run_test(impossible_sizes);
    run_test(whole_arrays_chunks_and_rings);
    run_test(thread_blocks);
    run_test(iterations_outside_the_loop);
    run_test(spoiled_elements_are_counted);
    run_test(fdtd2d_by_hand);
    run_test(formulas);
    run_test(gib_data_sets);
    return end_tests();
}
