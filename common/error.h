/* error.h: what the libraries' own sources add to datamotion/status.h. */
#ifndef COMMON_ERROR_H
#define COMMON_ERROR_H

#include <stddef.h>

#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Puts words and ": " before this thread's sentence, such as the name of a file. Returns `status`.
 */
enum dm_status error_within(enum dm_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Fails with errno's cause, as "WHAT: CAUSE". */
enum dm_status error_errno(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fails for lack of host memory. */
enum dm_status error_no_memory(size_t bytes);

/* The status of an MPI call's result, with the sentence "EXPRESSION: CAUSE (FILE:LINE)" if it is an
 * error; only in libraries with MPI (error_mpi.c). */
enum dm_status error_mpi(int error, const char *expression, const char *file, int line);
#define status_of_mpi(expression) error_mpi((expression), #expression, __FILE__, __LINE__)

/* Return from a function whose callee failed; TRY_MPI wraps calls of MPI, TRY_CUDA (error_cuda.h)
 * those of CUDA. A function that has something to undo keeps the status instead. */
#define TRY(expression)                                                                            \
    do {                                                                                           \
        enum dm_status try_status = (expression);                                                  \
        if (try_status != DM_OK)                                                                   \
            return try_status;                                                                     \
    } while (0)
#define TRY_MPI(expression) TRY(status_of_mpi(expression))

#ifdef __cplusplus
}
#endif
#endif
