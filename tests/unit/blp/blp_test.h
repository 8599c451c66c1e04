/* blp_test.h: what the tests of block-level pipelining share. */
#ifndef TESTS_UNIT_BLP_TEST_H
#define TESTS_UNIT_BLP_TEST_H

#include <stdlib.h>
#include <string.h>

#include "blp/blp.h"
#include "blp/blp_trace.h"
#include "common/memory.h"
#include "common/workloads/benchmark.h"
#include "tests/unit/test.h"

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

/* Wrong elements, or -1 with the complaint printed when the plan cannot be opened. */
static inline long errors_with(struct benchmark *benchmark, const struct blp_options *options,
                               struct blp_report *report)
{
    const char *complaint;
    struct blp_plan *plan = blp_open(&benchmark->region, options, &complaint);
    if (!plan) {
        printf("# %s: %s\n", benchmark->kind->name, complaint);
        return -1;
    }
    benchmark_reset(benchmark);
    blp_run(plan, report);
    blp_close(plan);
    return benchmark_errors(benchmark);
}

/* Least budget: the complaint about one that is too small names it. */
static inline size_t least_budget(const struct dm_region *region, struct blp_options options)
{
    const char *complaint;
    options.budget_bytes = 1;
    struct blp_plan *plan = blp_open(region, &options, &complaint);
    expect(plan == NULL);
    const char *needed = strstr(complaint, "region ");
    needed = needed ? strchr(needed, ':') : NULL;
    return needed ? strtoul(needed + 1, NULL, 10) : 0;
}

#endif
