/* burgers_check.h: what every variant of the Burgers solver is compared with, on one image's cells.
 */
#ifndef COARRAYS_BENCH_BURGERS_CHECK_H
#define COARRAYS_BENCH_BURGERS_CHECK_H

#include "burgers.h"

struct burgers_reference {
    double *serial, *exact; /* memory of scope.h */
    int count;
    double rounding, bound; /* how far a cell may be from either */
};

/* Of the cells first .. first + count - 1. */
struct burgers_reference burgers_reference(const struct burgers_problem *problem, int first,
                                           int count);

/* Wrong cells; *error is the largest difference from the exact solution. */
long burgers_count_wrong(const struct burgers_reference *reference, const double *u, double *error);

#endif
