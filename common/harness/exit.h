/* exit.h: exit codes, and how a program ends when something fails.
 *
 * An error message says what failed, the expression, the cause in words, host, rank, file and line.
 * All ranks leave together: under MPI the failing rank aborts the job. */
#ifndef COMMON_EXIT_H
#define COMMON_EXIT_H

#include <stdbool.h>

#include <datamotion/status.h>

#include "common/harness/exit.h"

#ifdef __cplusplus
extern "C" {
#endif

enum exit_code {
    EXIT_PASS = 0,             /* ran and the result was right */
    EXIT_FAIL = 1,             /* an error, or a wrong result */
    EXIT_WAIVED = 2,           /* hardware or a feature is missing; the reason is printed */
    EXIT_OUT_OF_REFERENCE = 3, /* right, but outside the reference numbers */
    EXIT_TIMEOUT = 124         /* the time limit was reached, as GNU timeout says it */
};

/* Prints `RESULT: <word> <reason>` as the last line on stderr, removes unfinished output files, and
 * ends the program (and the MPI job, if any) with the code. */
void leave(enum exit_code code, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/* Ends the program with EXIT_FAIL and one sentence for the user: wrong option, unreadable file, ...
 */
#define fail(...) leave(EXIT_FAIL, __VA_ARGS__)

/* Ends the program with EXIT_WAIVED: this machine lacks what the program needs. */
#define waive(...) leave(EXIT_WAIVED, __VA_ARGS__)

/* Used by the check macros below. `cause` is the cause in words. */
void fail_expression(const char *expression, const char *cause, const char *file, int line)
    __attribute__((noreturn));

/* Ends the program with a library's sentence if `expression` does not return DM_OK. */
#define check_status(expression)                                                                   \
    do {                                                                                           \
        enum dm_status check_result = (expression);                                                \
        if (check_result != DM_OK)                                                                 \
            fail_status(check_result);                                                             \
    } while (0)
void fail_status(enum dm_status status) __attribute__((noreturn));

/* Ends the program if `expression`, a CUDA runtime call, does not return cudaSuccess.
 * Needs gpu.h. */
#define check_cuda(expression)                                                                     \
    do {                                                                                           \
        cudaError_t check_result = (expression);                                                   \
        if (check_result != cudaSuccess)                                                           \
            fail_expression(#expression, cudaGetErrorString(check_result), __FILE__, __LINE__);    \
    } while (0)

/* Ends the program if `expression`, a C library call, is false; the cause is errno's. */
#define check_errno(expression)                                                                    \
    do {                                                                                           \
        if (!(expression))                                                                         \
            fail_errno(#expression, __FILE__, __LINE__);                                           \
    } while (0)
void fail_errno(const char *expression, const char *file, int line) __attribute__((noreturn));

/* A file that must not survive an unfinished program: removed by leave(), by SIGINT, SIGTERM and by
 * the time limit. `path` must stay valid; NULL forgets it. At most one file at a time. */
void status_unfinished_file(const char *path);

/* The word for a code: PASS, FAIL, WAIVED, OUT_OF_REFERENCE or TIMEOUT. */
const char *status_word(enum exit_code code);

/* While it is set, what fails fails on all ranks alike, such as an unknown option: rank 0 alone
 * says so, and the others are ended with it. */
extern bool status_alike;

/* Starts the time limit: after `seconds` the program prints a sentence and ends with EXIT_TIMEOUT.
 * Also makes SIGINT and SIGTERM remove the unfinished file. */
void status_start_limit(double seconds);

/* Ends the program as the time limit does. */
void status_end_at_limit(void) __attribute__((noreturn));

/* What the program is doing, for the message when a signal or the time limit ends it: a text that
 * stays valid while it is set; NULL: nothing to say. Cheap enough to be set before each wait. */
extern const char *volatile status_activity;

/* malloc that never returns NULL: ends the program with a sentence that names the size. */
void *allocate_or_fail(unsigned long count, unsigned long element_bytes);

#ifdef __cplusplus
}
#endif
#endif
