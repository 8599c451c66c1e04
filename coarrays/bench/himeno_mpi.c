/* himeno_mpi.c: the Himeno benchmark with MPI messages in C: derived datatypes for the layers. */
#include <stdlib.h>
#include <mpi.h>

#include "common/harness/exit.h"
#include "common/harness/ranks.h"

#include "himeno.h"

static struct himeno_block block;
static float *pressure, *next;
/* [dimension][side]: the layer that goes to that neighbour, and where its layer arrives. */
static MPI_Datatype leaving[3][2], arriving[3][2];

static MPI_Datatype layer_type(const struct himeno_layer *layer)
{
    MPI_Datatype type;
    int sizes[3], counts[3], starts[3];
    for (int d = 0; d < 3; d++) {
        sizes[d] = block.extent[LARGEST][d] + 2;
        counts[d] = layer->count[d];
        starts[d] = layer->first[d];
    }
    check_mpi(
        MPI_Type_create_subarray(3, sizes, counts, starts, MPI_ORDER_FORTRAN, MPI_FLOAT, &type));
    check_mpi(MPI_Type_commit(&type));
    return type;
}

static void create(const int extents[3][3], const int neighbour[3][2])
{
    block = himeno_block_of(extents, neighbour);
    pressure = allocate_or_fail(himeno_halo_points(block.extent[LARGEST]), sizeof *pressure);
    next = allocate_or_fail(himeno_points(block.extent[OWN]), sizeof *next);
    for (int d = 0; d < 3; d++)
        for (int side = 0; side < 2; side++) {
            struct himeno_layer layer = himeno_layer(&block, d, side);
            leaving[d][side] = layer_type(&layer);
            layer.first[d] += side == 0 ? -1 : 1;
            arriving[d][side] = layer_type(&layer);
        }
}

static void set(const float *values)
{
    himeno_spread(&block, values, pressure);
}

/* A layer holds what the exchanges in the dimensions before have brought, so that edges arrive,
 * too. The tag is the side that a layer goes to. */
static void exchange(void)
{
    for (int d = 0; d < 3; d++) {
        MPI_Request requests[4];
        for (int side = 0; side < 2; side++) {
            int image = block.neighbour[d][side];
            int rank = image ? image - 1 : MPI_PROC_NULL;
            check_mpi(MPI_Irecv(pressure, 1, arriving[d][side], rank, 1 - side, MPI_COMM_WORLD,
                                &requests[2 * side]));
            check_mpi(MPI_Isend(pressure, 1, leaving[d][side], rank, side, MPI_COMM_WORLD,
                                &requests[2 * side + 1]));
        }
        check_mpi(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
    }
}

static void run(int iterations, const float *a, const float *b, const float *c, const float *bound,
                const float *source, double *gosa)
{
    struct himeno_coefficients coefficients = {a, b, c, bound, source};
    for (int n = 0; n < iterations; n++) {
        *gosa = himeno_jacobi(&block, &coefficients, pressure, next);
        himeno_update(&block, next, pressure);
        exchange();
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, gosa, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    }
}

static void get(float *values)
{
    himeno_compact(&block, pressure, values);
}

static void destroy(void)
{
    for (int d = 0; d < 3; d++)
        for (int side = 0; side < 2; side++) {
            MPI_Type_free(&leaving[d][side]);
            MPI_Type_free(&arriving[d][side]);
        }
    free(pressure);
    free(next);
}

const struct himeno_kernels himeno_mpi = {create, set, run, get, destroy};
