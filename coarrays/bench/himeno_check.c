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

struct himeno_part himeno_part(const int size[3], const int images[3], uint64_t seed)
{
    struct himeno_part part = {.size = {size[0], size[1], size[2]}, .seed = seed};
    part.block = himeno_block(size, images, ranks.rank + 1);
    part.coefficients = himeno_start(size, &part.block, seed);
    size_t bytes = himeno_halo_points(part.block.extent[OWN]) * sizeof(float);
    part.start = scope_allocate(MEMORY_PAGEABLE, bytes);
    part.result = scope_allocate(MEMORY_PAGEABLE, bytes);
    himeno_pressure(size, &part.block, seed, part.start);
    return part;
}

static void make_expected(struct himeno_part *part, int iterations)
{
    static const int alone[3] = {1, 1, 1};
    struct himeno_block whole = himeno_block(part->size, alone, 1);
    size_t points = himeno_halo_points(whole.extent[OWN]);
    size_t planes = (size_t)part->size[2], plane = points / planes;
    part->expected = scope_allocate(MEMORY_PAGEABLE, points * sizeof(float));
    if (ranks.rank == 0) {
        struct himeno_coefficients coefficients = himeno_start(part->size, &whole, part->seed);
        himeno_pressure(part->size, &whole, part->seed, part->expected);
        part->expected_gosa = himeno_serial(&whole, &coefficients, iterations, part->expected);
        himeno_free(&coefficients);
    }
    check_mpi(MPI_Bcast(&part->expected_gosa, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD));
    for (size_t k = 0; k < planes; k++)
        check_mpi(MPI_Bcast(part->expected + k * plane, (int)plane, MPI_FLOAT, 0, MPI_COMM_WORLD));
}

static long count_wrong_in_line(int count, const float *result, const float *right)
{
    long wrong = 0;
    for (int i = 0; i < count; i++)
        wrong += !(fabs((double)result[i] - (double)right[i]) <= pressure_tolerance);
    return wrong;
}

long himeno_count_wrong(struct himeno_part *part, int iterations, double gosa)
{
    const int *size = part->size, *extent = part->block.extent[OWN], *start = part->block.start;
    if (!part->expected)
        make_expected(part, iterations);
    long wrong = !(fabs(gosa - part->expected_gosa) <= gosa_tolerance * part->expected_gosa);
    for (int k = 0; k < extent[2]; k++)
        for (int j = 0; j < extent[1]; j++) {
            size_t in_block = (size_t)(j + 1) + (size_t)(extent[1] + 2) * (size_t)(k + 1);
            size_t in_grid = (size_t)(start[1] + j) + (size_t)size[1] * (size_t)(start[2] + k);
            wrong += count_wrong_in_line(
                extent[0], part->result + (size_t)(extent[0] + 2) * in_block + 1,
                part->expected + (size_t)size[0] * in_grid + (size_t)start[0]);
        }
    return wrong;
}
