/* prefetch_sip_test.h: SIAL programs from memory, run by all ranks of a test. */
#ifndef TESTS_UNIT_PREFETCH_SIP_TEST_H
#define TESTS_UNIT_PREFETCH_SIP_TEST_H

#include <string.h>

#include <datamotion/prefetch.h>

#include "common/harness/exit.h"
#include "common/harness/ranks.h"
#include "tests/unit/test_status.h"

static inline struct prefetch_program *compile(const char *name, const char *text,
                                               const struct prefetch_definition *definitions,
                                               size_t count)
{
    struct prefetch_program *program;
    check_status(prefetch_compile_text(&program, name, text, strlen(text), definitions, count));
    return program;
}

/* A program with nothing predefined. */
static inline struct prefetch_result run_text(const char *text,
                                              const struct prefetch_config *config)
{
    struct prefetch_result result;
    struct prefetch_program *program = compile("test.sialx", text, NULL, 0);
    check_status(prefetch_run(program, config, &result));
    prefetch_free(program);
    return result;
}

/* Of the next run. */
static struct prefetch_config config;

static inline void reset(int workers, int servers)
{
    config = (struct prefetch_config){.world = MPI_COMM_WORLD,
                                      .workers = workers,
                                      .servers = servers,
                                      .wait_limit_s = 20,
                                      .seed = 7};
    for (int kind = 0; kind < PREFETCH_INDEX_KINDS; kind++)
        config.segment[kind] = 3;
}

/* Ranks that there are, but no more workers than that. */
static inline int workers_of(int most)
{
    return ranks.count - 1 < most ? ranks.count - 1 : most;
}

/* Scalars in the order of their declaration; on all workers. */
static inline void expect_scalars(const char *text, int count, const double *right)
{
    struct prefetch_result result = run_text(text, &config);
    for (int i = 0; i < count && result.is_worker; i++) {
        expect(result.scalars[i] == right[i]);
        if (result.scalars[i] != right[i])
            printf("# scalar %d is %.17g, not %.17g\n", i, result.scalars[i], right[i]);
    }
    prefetch_result_free(&result);
}
#define expect_results(text, ...)                                                                  \
    expect_scalars(text, (int)(sizeof(double[]){__VA_ARGS__} / sizeof(double)),                    \
                   (double[]){__VA_ARGS__})

/* Rank 0, which is worker 0, prints whether a check was right on all ranks. */
static inline void on_all_ranks(const char *name, void (*test)(void))
{
    test_failed_checks = 0;
    test();
    bool failed = ranks.max(test_failed_checks) > 0;
    test_failures += failed;
    if (ranks.rank == 0)
        printf("%sok %s\n", failed ? "not " : "", name);
}
#define check(function) on_all_ranks(#function, function)

#endif
