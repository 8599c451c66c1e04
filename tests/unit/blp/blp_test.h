/* blp_test.h: what the tests of block-level pipelining share. */
#ifndef TESTS_UNIT_BLP_TEST_H
#define TESTS_UNIT_BLP_TEST_H

#include <stdlib.h>
#include <string.h>

#include "blp/kernels/kernels.h"
#include "common/memory.h"
#include "common/workloads/benchmark.h"
#include "tests/unit/test_status.h"

static const char *const names[] = {"conv2d", "conv3d", "stencil", "gemm", "fdtd2d", "atax", "qcd"};
enum { NAMES = sizeof names / sizeof *names };

/* Under ThreadSanitizer a run takes 20 times as long: only some of the combinations. */
#if defined(__SANITIZE_THREAD__)
enum { CHOICE_STEP = 13 };
#else
enum { CHOICE_STEP = 1 };
#endif

/* Sizes with several tasks and, with few threads, several pieces; multiples of 4. */
static const size_t sizes[NAMES] = {60, 12, 24, 96, 48, 60, 4};

static inline struct benchmark *make(const char *name, size_t size, long rounds)
{
    return benchmark_create(benchmark_kind_of(name), size, rounds, MEMORY_PINNED, 5);
}

/* Wrong elements, or -1 with the message printed when the plan cannot be opened. */
static inline long errors_with(struct benchmark *benchmark, const struct blp_options *options,
                               struct blp_report *report)
{
    struct blp_plan *plan;
    if (blp_open(&plan, &benchmark->region, kernel_of(benchmark->kind->name), options) != DM_OK) {
        printf("# %s: %s\n", benchmark->kind->name, dm_message());
        return -1;
    }
    benchmark_reset(benchmark);
    expect_ok(blp_run(plan, report));
    blp_close(plan);
    return benchmark_errors(benchmark);
}

/* Fails as expected; the plan is NULL. */
static inline void expect_refused(const struct dm_region *region, const struct blp_kernel *kernel,
                                  const struct blp_options *options, enum dm_status status,
                                  const char *words)
{
    int anything;
    struct blp_plan *plan = (struct blp_plan *)&anything;
    expect_error(blp_open(&plan, region, kernel, options), status, words);
    expect(plan == NULL);
}

/* Minimum budget: the message about one that is too small names it. */
static inline size_t minimum_budget(const struct benchmark *benchmark, struct blp_options options)
{
    options.budget_bytes = 1;
    expect_refused(&benchmark->region, kernel_of(benchmark->kind->name), &options, DM_NO_MEMORY,
                   "bytes are needed");
    const char *needed = strstr(dm_message(), "region ");
    needed = needed ? strchr(needed, ':') : NULL;
    return needed ? strtoul(needed + 1, NULL, 10) : 0;
}

#endif
