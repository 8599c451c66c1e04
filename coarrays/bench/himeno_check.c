#include "himeno_check.h"

#include <math.h>
#include <mpi.h>

#include "common/harness/exit.h"
#include "common/harness/ranks.h"
#include "common/harness/scope.h"

/* Pressures are about 1 and single; a rounding dies away like any error of the iteration. */
static const double pressure_tolerance = 1e-5;
/* A share: sums of as many squares as there are points. */
static const double gosa_tolerance = 1e-4;

struct himeno_reference himeno_reference(const int size[3], int iterations, uint64_t seed)
{
    static const int alone[3] = {1, 1, 1};
    struct himeno_block whole = himeno_block(size, alone, 1);
    size_t points = himeno_halo_points(whole.extent[OWN]), plane = points / (size_t)size[2];
    struct himeno_reference reference = {
        .size = size, .pressure = scope_allocate(MEMORY_PAGEABLE, points * sizeof(float))};
    if (ranks.rank == 0) {
        struct himeno_coefficients coefficients = himeno_start(size, &whole, seed);
        himeno_pressure(size, &whole, seed, reference.pressure);
        reference.gosa = himeno_serial(&whole, &coefficients, iterations, reference.pressure);
        himeno_free(&coefficients);
    }
    check_mpi(MPI_Bcast(&reference.gosa, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD));
    for (size_t k = 0; k < (size_t)size[2]; k++)
        check_mpi(
            MPI_Bcast(reference.pressure + k * plane, (int)plane, MPI_FLOAT, 0, MPI_COMM_WORLD));
    return reference;
}

static long count_wrong_in_line(int count, const float *result, const float *right)
{
    long wrong = 0;
    for (int i = 0; i < count; i++)
        wrong += !(fabs((double)result[i] - (double)right[i]) <= pressure_tolerance);
    return wrong;
}

long himeno_count_wrong(const struct himeno_block *block, const struct himeno_reference *reference,
                        const float *pressure, double gosa)
{
    const int *size = reference->size, *extent = block->extent[OWN], *start = block->start;
    long wrong = !(fabs(gosa - reference->gosa) <= gosa_tolerance * reference->gosa);
    for (int k = 0; k < extent[2]; k++)
        for (int j = 0; j < extent[1]; j++) {
            size_t in_block = (size_t)(j + 1) + (size_t)(extent[1] + 2) * (size_t)(k + 1);
            size_t in_grid = (size_t)(start[1] + j) + (size_t)size[1] * (size_t)(start[2] + k);
            wrong += count_wrong_in_line(
                extent[0], pressure + (size_t)(extent[0] + 2) * in_block + 1,
                reference->pressure + (size_t)size[0] * in_grid + (size_t)start[0]);
        }
    return wrong;
}
