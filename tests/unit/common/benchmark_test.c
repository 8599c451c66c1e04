/* The table of benchmarks, and what benchmark_errors finds: results that were never written, single
 * wrong elements, and rounds or updates that were forgotten. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "common/harness/exit.h"
#include "common/random.h"
#include "common/workloads/conv3d.h"
#include "tests/unit/test.h"

#include "workloads_rounds_test.h"

/* Kinds with one input and one result, at a small size. */
static const struct benchmark_dataset kinds[] = {
    {"conv2d", 37}, {"conv3d", 19}, {"stencil", 36}, {"pooling", 38}, {"transpose", 96}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static struct benchmark *create(const char *kind, size_t size, long rounds)
{
    return benchmark_create(benchmark_kind_of(kind), size, rounds, MEMORY_PAGEABLE, 42 + size);
}

/* In a process of its own, before this one has threads: the exit status of the program that creates
 * a benchmark of that size. */
static int status_of(const char *kind, const char *dataset)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(99);
        const struct benchmark_kind *of = benchmark_kind_of(kind);
        struct benchmark described = {.kind = of, .size = benchmark_size(of, dataset)};
        of->describe(&described);
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void bad_sizes_end_the_program(void)
{
    static const char *const bad[][2] = {
        {"conv2d", "2"},     {"conv2d", "0"},      {"conv2d", "large"},   {"conv2d", ""},
        {"conv2d", "-5"},    {"conv2d", "100G"},   {"conv3d", "2"},       {"conv3d", "1M"},
        {"stencil", "8"},    {"stencil", "38"},    {"stencil", "medium"}, {"pooling", "3"},
        {"transpose", "16"}, {"transpose", "100"}, {"transpose", "tin"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect(status_of(bad[i][0], bad[i][1]) == EXIT_FAIL);
    expect(status_of("conv2d", "12K") == 0);
}

/* What all kinds of the table promise, those of other files too. */
static void table_of_kinds(void)
{
    for (size_t k = 0; benchmark_kinds[k]; k++) {
        const struct benchmark_kind *kind = benchmark_kinds[k];
        expect(benchmark_kind_of(kind->name) == kind);
        expect(benchmark_size(kind, "tiny") < benchmark_size(kind, "small"));
        for (const struct benchmark_dataset *d = kind->datasets; d->name; d++) {
            struct benchmark described = {.kind = kind, .size = d->size};
            kind->describe(&described);
            expect(dm_region_footprint(&described.region) > 0);
            expect(described.flops >= 0.0 && described.kernel_bytes > 0.0);
            size_t copied = dm_region_bytes(&described.region, DM_REGION_TO) +
                            dm_region_bytes(&described.region, DM_REGION_FROM);
            if (strcmp(d->name, "gib") == 0)
                expect(copied <= 1u << 30 && copied > (1u << 30) / 10 * 9);
        }
    }
    expect(benchmark_kind_of("conv4d") == NULL);
    expect(benchmark_size(benchmark_kind_of("conv2d"), "2K") == 2048);
}

static void updates(void)
{
    float values[2050];
    for (int i = 0; i < 2050; i++)
        values[i] = 2.0f;
    benchmark_update(values, 2049);
    expect(values[0] == 1.0f && values[1024] == 1.0f && values[2048] == 1.0f);
    expect(values[1] == 2.0f && values[1023] == 2.0f && values[2049] == 2.0f);
}

/* An execution that forgets the updates, or a round, is found. */
static void missing_updates_are_errors(void)
{
    struct benchmark *benchmark = create("conv3d", 20, 6);
    benchmark_update_between_rounds(benchmark);
    void (*between)(const struct dm_region *, long, void *) = benchmark->region.between;
    benchmark->region.between = NULL;
    expect(errors_after_rounds(benchmark, 100, false) > 100);
    benchmark->region.between = between;
    expect(errors_after_rounds(benchmark, 100, false) == 0);
    benchmark->region.rounds = 5;
    expect(errors_after_rounds(benchmark, 100, false) == 0);
    benchmark->region.rounds = 7;
    expect(benchmark_errors(benchmark) > 1000);
    benchmark_release(benchmark);
}

static void unwritten_outputs_are_errors(void)
{
    for (int k = 0; k < KINDS; k++) {
        struct benchmark *benchmark = create(kinds[k].name, kinds[k].size, 1);
        const struct dm_region_array *output = &benchmark->region.arrays[1];
        long first, end;
        dm_region_window(output, benchmark->region.begin, benchmark->region.end, &first, &end);
        long elements = (end - first) * (long)(dm_region_slice_size(output) / sizeof(float));
        benchmark_reset(benchmark);
        expect(benchmark_errors(benchmark) == elements);
        benchmark_release(benchmark);
    }
}

/* Elements of the result, one after the other, are changed a little, or are NaN. */
static void check_single_elements(struct benchmark *benchmark, float change)
{
    const struct dm_region *region = &benchmark->region;
    const struct dm_region_array *output = &region->arrays[1];
    float *result = dm_region_host(region, 1, region->rounds - 1);
    long first, end;
    dm_region_window(output, region->begin, region->end, &first, &end);
    bool panels = output->split == DM_REGION_COLUMNS;
    uint64_t slice = dm_region_slice_size(output) / sizeof(float);
    uint64_t before = panels ? 0 : (uint64_t)first * slice;
    uint64_t count = (uint64_t)(end - first) * slice;
    for (uint64_t i = 0; i < 200; i++) {
        uint64_t at = before + (i == 0 ? 0 : i == 1 ? count - 1 : random_below(1, i, count));
        float right = result[at];
        result[at] = right + (right < 0.0f ? -change : change);
        expect(benchmark_errors(benchmark) == 1);
        result[at] = NAN;
        expect(benchmark_errors(benchmark) == 1);
        result[at] = right;
    }
    expect(benchmark_errors(benchmark) == 0);
}

static void single_wrong_elements_are_errors(void)
{
    for (int k = 0; k < KINDS; k++) {
        struct benchmark *benchmark = create(kinds[k].name, kinds[k].size, 1);
        expect(errors_after_rounds(benchmark, 100, false) == 0);
        check_single_elements(benchmark, 0.01f);
        benchmark_release(benchmark);
    }
}

static void single_wrong_elements_after_rounds_are_errors(void)
{
    struct benchmark *benchmark = create("stencil", 36, 3);
    expect(errors_after_rounds(benchmark, 100, false) == 0);
    check_single_elements(benchmark, 0.01f);
    benchmark_release(benchmark);
}

/* After many rounds random data are damped far from the borders; errors there are found, too. */
static void wrong_damped_elements_are_errors(void)
{
    struct benchmark *benchmark = create("conv3d", 80, 12);
    const struct dm_region *region = &benchmark->region;
    benchmark_reset(benchmark);
    for (long round = 0; round < region->rounds; round++)
        conv3d_reference(region->context, dm_region_host(region, 0, round),
                         dm_region_host(region, 1, round));
    expect(benchmark_errors(benchmark) == 0);
    size_t middle = (40 * 80 + 40) * 80 + 40;
    float *result = dm_region_host(region, 1, region->rounds - 1), right = result[middle];
    expect(fabsf(right) < 1e-3f);
    result[middle] = right * 1.5f;
    expect(benchmark_errors(benchmark) == 1);
    result[middle] = 0.0f;
    expect(benchmark_errors(benchmark) == 1);
    benchmark_release(benchmark);
}

int main(void)
{
    run_test(bad_sizes_end_the_program);
    run_test(table_of_kinds);
    run_test(updates);
    run_test(missing_updates_are_errors);
    run_test(unwritten_outputs_are_errors);
    run_test(single_wrong_elements_are_errors);
    run_test(single_wrong_elements_after_rounds_are_errors);
    run_test(wrong_damped_elements_are_errors);
    return end_tests();
}
