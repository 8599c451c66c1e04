/* caf_ranks_test.h: for tests of the coarray library, which run as several images. A test program
 * has one function per check; every image runs it, and rank 0 prints what came of it. */
#ifndef TESTS_UNIT_CAF_RANKS_TEST_H
#define TESTS_UNIT_CAF_RANKS_TEST_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <mpi.h>

#include <datamotion/coarrays.h>

#include "coarrays/caf/runtime.h"
#include "coarrays/gfortran/program.h"
#include "coarrays/gfortran/stop.h"
#include "tests/unit/test_status.h"

/* The expression fails for that reason, and its sentence has the words. */
#define expect_invalid(expression, reason, words)                                                  \
    do {                                                                                           \
        expect_error(expression, DM_INVALID, words);                                               \
        expect(caf_reason() == (reason));                                                          \
    } while (0)

struct step {
    const char *name;
    void (*run)(void);
};
#define STEP(function)                                                                             \
    {                                                                                              \
        .name = #function, .run = function                                                         \
    }

/* It failed if it did on any image. MPI runs. */
static inline void run_steps(const struct step *steps)
{
    int rank, failed;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (; steps->run; steps++) {
        test_failed_checks = 0;
        steps->run();
        MPI_Allreduce(&test_failed_checks, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        test_count++;
        test_failures += failed > 0;
        if (rank == 0)
            printf("%sok %s\n", failed ? "not " : "", steps->name);
        fflush(stdout);
    }
}

static inline double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void sleep_s(double seconds)
{
    nanosleep(&(struct timespec){(time_t)seconds, (long)(1e9 * (seconds - (double)(long)seconds))},
              NULL);
}

/* CAF_WAIT_LIMIT_S, which from now on is no shorter than what must succeed may take. A test sets it
 * again where it is to be reached. */
static inline double put_off_wait_limit(void)
{
    double limit_s = runtime.wait_limit_s;
    runtime.wait_limit_s = fmax(limit_s, 60);
    return limit_s;
}

/* The same sequence on every image that starts with the same seed. */
static inline uint32_t random_below(uint64_t *seed, uint32_t limit)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*seed >> 33) % limit);
}

#endif
