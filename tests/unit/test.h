/* test.h: the smallest harness that does. A test program calls run_test(name) for each of its
 * functions; inside, expect() notes what is wrong and goes on. */
#ifndef TESTS_UNIT_TEST_H
#define TESTS_UNIT_TEST_H

#include <stdio.h>
#include <unistd.h>

/* Seconds: many times what a test takes alone, as it may have little of a shared machine; less than
 * the 300 s after which the bats files end a launcher. */
enum { HANGS_AFTER_S = 250 };

static int test_failed_checks;
static int test_count;
static int test_failures;

#define expect(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            test_failed_checks++;                                                                  \
            printf("# %s:%d: expected %s\n", __FILE__, __LINE__, #condition);                      \
        }                                                                                          \
    } while (0)

static inline void run_named_test(const char *name, void (*test)(void))
{
    test_failed_checks = 0;
    alarm(HANGS_AFTER_S); /* nothing hangs */
    test();
    alarm(0);
    test_count++;
    test_failures += test_failed_checks > 0;
    printf("%sok %s\n", test_failed_checks ? "not " : "", name);
    fflush(stdout);
}
#define run_test(function) run_named_test(#function, function)

/* For main(): the plan, and the exit code. */
static inline int end_tests(void)
{
    printf("1..%d\n", test_count);
    return test_failures ? 1 : 0;
}

#endif
