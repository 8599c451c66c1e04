/* error.h: codes with a sentence. */
#ifndef COARRAYS_CAF_ERROR_H
#define COARRAYS_CAF_ERROR_H

#include "coarrays/caf.h"

/* Notes the sentence for caf_error_text() and returns the code. A sentence names the statement and
 * the image as Fortran has them: "PUT: there is no image 9 of 4". */
int caf_error(enum caf_code code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The statement that this image executes, for such sentences and for what is printed when a wait
 * ends with its limit: "SYNC IMAGES". */
extern const char *caf_statement;

/* MPI: returns CAF_MPI from the calling function unless the call succeeded. */
#define try_mpi(expression)                                                                        \
    do {                                                                                           \
        int try_result = (expression);                                                             \
        if (try_result != MPI_SUCCESS)                                                             \
            return caf_error_mpi(#expression, try_result);                                         \
    } while (0)
int caf_error_mpi(const char *expression, int result);

/* MPI where no code can be returned: error stop unless the call succeeded. */
#define need_mpi(expression)                                                                       \
    do {                                                                                           \
        int need_result = (expression);                                                            \
        if (need_result != MPI_SUCCESS) {                                                          \
            caf_error_mpi(#expression, need_result);                                               \
            caf_error_stop(1, caf_error_text());                                                   \
        }                                                                                          \
    } while (0)

#endif
