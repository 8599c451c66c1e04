/* gemm, matmul with both kernels, and atax: executed as a whole, in chunks and through rings that
 * are smaller than the arrays, with several blocks, and compared with the reference. */
#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "common/harness/exit.h"
#include "common/random.h"
#include "common/workloads/atax.h"
#include "common/workloads/gemm.h"
#include "tests/unit/test.h"

#include "workloads_test.h"

/* Under ThreadSanitizer a thread at a barrier is dear: small matrices and blocks show as much. */
#if defined(__SANITIZE_THREAD__)
enum { LARGEST = 64, THREADS = 64 };
#else
enum { LARGEST = 1000, THREADS = 1024 };
#endif

enum { KINDS = 4, ATAX = 3, WHOLE = 1 << 20 };

static const char *const kinds[KINDS] = {"gemm", "matmul", "matmul_naive", "atax"};
static const size_t sizes[KINDS][4] = {{32, 64, 160}, {32, 64, 160}, {32, 64, 160}, {1, 33, 100}};
static const dim3 usual = {0, 0, 0};

static struct benchmark *create(const char *kind, size_t size, long rounds)
{
    return benchmark_create(benchmark_kind_of(kind), size, rounds, MEMORY_PAGEABLE, 5 + size);
}

static void whole_arrays_chunks_and_rings(void)
{
    static const long chunks[] = {1, 2, 3, 7, WHOLE};
    for (int k = 0; k < KINDS; k++)
        for (int s = 0; sizes[k][s] && sizes[k][s] <= LARGEST; s++) {
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
    static const dim3 blocks[] = {{32, 1, 1},  {32, 2, 1},  {32, 3, 1}, {32, 5, 1}, {32, 8, 1},
                                  {32, 32, 1}, {128, 1, 1}, {16, 4, 1}, {1, 64, 1}};
    for (int k = 0; k < KINDS; k++) {
        struct benchmark *benchmark = create(kinds[k], k == ATAX ? 77 : 64, 1);
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
            if (blocks[b].x * blocks[b].y <= THREADS)
                expect(errors_in_chunks(benchmark, k == ATAX ? 7 : 1, true, blocks[b]) == 0);
        benchmark_release(benchmark);
    }
    struct benchmark *naive = create("matmul_naive", 64, 1);
    expect(errors_in_chunks(naive, 2, true, (dim3){7, 5, 1}) == 0);
    benchmark_release(naive);
}

static void impossible_thread_blocks(void)
{
    static const dim3 blocks[] = {{32, 33, 1}, {32, 1, 2}, {0, 32, 1}, {2048, 1, 1}};
    for (int k = 0; k < KINDS; k++) {
        struct benchmark *benchmark = create(kinds[k], 64, 1);
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
            expect(errors_in_chunks(benchmark, 2, true, blocks[b]) == -1);
        if (strcmp(kinds[k], "matmul_naive") != 0) {
            expect(errors_in_chunks(benchmark, 2, true, (dim3){48, 1, 1}) == -1);
            expect(errors_in_chunks(benchmark, 2, true, (dim3){7, 5, 1}) == -1);
        }
        benchmark_release(benchmark);
    }
}

static void iterations_outside_the_loop(void)
{
    struct dm_slices views[DM_REGION_ARRAYS] = {{0}};
    for (int k = 0; k < KINDS; k++) {
        struct benchmark *benchmark = create(kinds[k], 64, 1);
        const struct dm_region *region = &benchmark->region;
        expect(region->launch(region, views, -1, 1, 0) == cudaErrorInvalidValue);
        expect(region->launch(region, views, 0, region->end + 1, 0) == cudaErrorInvalidValue);
        expect(region->launch(region, views, 1, 0, 0) == cudaErrorInvalidValue);
        expect(region->launch(region, views, 1, 1, 0) == cudaSuccess);
        benchmark_release(benchmark);
    }
}

/* The result of the last round is that of the inputs as the host has changed them. */
static void host_updates_between_rounds(void)
{
    static const char *const iterated[] = {"matmul", "atax"};
    for (int k = 0; k < 2; k++) {
        struct benchmark *benchmark = create(iterated[k], 64, 3);
        const struct dm_region *region = &benchmark->region;
        benchmark_update_between_rounds(benchmark);
        benchmark_reset(benchmark);
        for (long round = 0; round < region->rounds; round++) {
            check_cuda(execute_in_chunks(region, 2, true));
            if (round + 1 < region->rounds) {
                expect(benchmark_errors(benchmark) > 0);
                region->between(region, round, region->between_context);
            }
        }
        expect(benchmark_errors(benchmark) == 0);
        benchmark_release(benchmark);
    }
}

static void spoiled_elements_are_counted(void)
{
    for (int k = 0; k < KINDS; k++) {
        struct benchmark *benchmark = create(kinds[k], 64, 1);
        expect(errors_in_chunks(benchmark, 2, true, usual) == 0);
        float *result = benchmark->region.arrays[benchmark->region.array_count - 1].host;
        result[17] += 0.01f;
        expect(benchmark_errors(benchmark) == 1);
        result[63] = NAN;
        expect(benchmark_errors(benchmark) == 2);
        benchmark_reset(benchmark);
        expect(benchmark_errors(benchmark) >= 60);
        benchmark_release(benchmark);
    }
}

/* Above GEMM_REFERENCE_LIMIT rows are checked by their sums. */
static void sums_of_rows_show_errors(void)
{
    const size_t n = GEMM_REFERENCE_LIMIT + 32;
    if (n > LARGEST)
        return;
    for (int k = 0; k < 2; k++) {
        struct benchmark *benchmark = create(kinds[k], n, 1);
        expect(errors_in_chunks(benchmark, 6, true, usual) == 0);
        float *c = benchmark->region.arrays[GEMM_C].host;
        c[5 * n + 7] += 0.01f;
        c[5 * n + 8] -= 0.03f;
        c[9 * n] = NAN;
        expect(benchmark_errors(benchmark) == 2);
        benchmark_release(benchmark);
    }
}

static void sums_and_elements_agree(void)
{
    struct gemm_shape shape = {96, 1.5f, -0.25f};
    size_t count = (size_t)(shape.n * shape.n);
    float *a = allocate_or_fail(count, sizeof(float)), *b = allocate_or_fail(count, sizeof(float));
    float *c = allocate_or_fail(count, sizeof(float)), *d = allocate_or_fail(count, sizeof(float));
    float sums[96];
    random_fill_float(a, count, 1);
    random_fill_float(b, count, 2);
    random_fill_float(c, count, 3);
    gemm_reference(a, b, c, shape, d);
    double element = 0.0;
    for (long k = 0; k < shape.n; k++)
        element += (double)a[3 * shape.n + k] * (double)b[k * shape.n + 4];
    element = 1.5 * element - 0.25 * (double)c[3 * shape.n + 4];
    expect(fabs(element - (double)d[3 * shape.n + 4]) < 1e-5);
    gemm_expected_sums(a, b, c, shape, sums);
    expect(gemm_wrong_sums(d, sums, shape) == 0);
    gemm_expected_sums(a, b, NULL, shape, sums);
    expect(gemm_wrong_sums(d, sums, shape) == shape.n);
    gemm_reference(a, b, NULL, shape, d);
    expect(gemm_wrong_sums(d, sums, shape) == 0);
    free(a);
    free(b);
    free(c);
    free(d);
}

static void formulas(void)
{
    expect(matmul_flops(32) == 65536.0 && gemm_flops(32) == 65536.0 + 3072.0);
    expect(matmul_bytes(32) == 3 * 4096.0 && gemm_bytes(32) == 4 * 4096.0);
    expect(atax_flops(10) == 400.0 && atax_bytes(10) == 480.0);
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
        expect(bytes <= (size_t)1 << 30 && bytes > (size_t)1000 << 20);
    }
}

/* Whether creating it ends the program with an error. */
static bool is_refused(const char *kind, size_t size, long rounds)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        create(kind, size, rounds);
        _exit(0);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

static void impossible_sizes(void)
{
    expect(is_refused("gemm", 33, 1));
    expect(is_refused("gemm", 16, 1));
    expect(is_refused("gemm", 64, 2));
    expect(is_refused("matmul", 100, 1));
    expect(is_refused("matmul_naive", 100, 1));
    expect(is_refused("atax", (size_t)1 << 21, 1));
}

int main(void)
{
    run_test(impossible_sizes);
    run_test(whole_arrays_chunks_and_rings);
    run_test(thread_blocks);
    run_test(impossible_thread_blocks);
    run_test(iterations_outside_the_loop);
    run_test(host_updates_between_rounds);
    run_test(spoiled_elements_are_counted);
    run_test(sums_of_rows_show_errors);
    run_test(sums_and_elements_agree);
    run_test(formulas);
    run_test(gib_data_sets);
    return end_tests();
}
