/* test_status.h: checks on what the libraries' functions report. */
#ifndef TESTS_UNIT_TEST_STATUS_H
#define TESTS_UNIT_TEST_STATUS_H

#include <string.h>

#include <datamotion/status.h>

#include "tests/unit/test.h"

/* The expression fails with that status, and its sentence has the words. */
#define expect_error(expression, expected_status, words)                                           \
    do {                                                                                           \
        enum dm_status test_status = (expression);                                                 \
        expect(test_status == (expected_status));                                                  \
        if (!strstr(dm_message(), words)) {                                                        \
            test_failed_checks++;                                                                  \
            printf("# %s:%d: expected '%s' in '%s'\n", __FILE__, __LINE__, words, dm_message());   \
        }                                                                                          \
    } while (0)

/* The expression succeeds; the sentence is shown if it does not. */
#define expect_ok(expression)                                                                      \
    do {                                                                                           \
        if ((expression) != DM_OK) {                                                               \
            test_failed_checks++;                                                                  \
            printf("# %s:%d: %s failed: %s\n", __FILE__, __LINE__, #expression, dm_message());     \
        }                                                                                          \
    } while (0)

#endif
