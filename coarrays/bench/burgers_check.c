#include "burgers_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/harness/scope.h"

struct burgers_reference burgers_reference(const struct burgers_problem *problem, int first,
                                           int count)
{
    size_t bytes = (size_t)count * sizeof(double);
    /* A compiler may contract or reorder: one rounding of |u| <= 1 in each stage. */
    struct burgers_reference reference = {.serial = scope_allocate(MEMORY_PAGEABLE, bytes),
                                          .exact = scope_allocate(MEMORY_PAGEABLE, bytes),
                                          .count = count,
                                          .rounding = 3 * 2.3e-16 * problem->steps + 1e-15,
                                          .bound = burgers_bound(problem)};
    double *all = allocate_or_fail((size_t)problem->cells, sizeof *all);
    burgers_start(problem, 0, problem->cells, all);
    burgers_serial(problem, all);
    memcpy(reference.serial, all + first, bytes);
    free(all);
    burgers_exact(problem, first, count, reference.exact);
    return reference;
}

long burgers_count_wrong(const struct burgers_reference *reference, const double *u, double *error)
{
    long wrong = 0;
    *error = 0;
    for (int i = 0; i < reference->count; i++) {
        double difference = fabs(u[i] - reference->exact[i]);
        wrong += !(fabs(u[i] - reference->serial[i]) <= reference->rounding &&
                   difference <= reference->bound);
        *error = fmax(*error, isfinite(difference) ? difference : 1.0);
    }
    return wrong;
}
