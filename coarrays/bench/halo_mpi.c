/* The halo exchange with two-sided MPI. */
#include <stdlib.h>
#include <mpi.h>

#include "common/harness/exit.h"
#include "common/harness/ranks.h"

#include "halo.h"

static double *x;
static size_t edge;
static int rank[SIDES];
static MPI_Datatype strided; /* a row of cells */

static double *mpi_open(int64_t length, const int *neighbour)
{
    edge = (size_t)length;
    for (int side = 0; side < SIDES; side++)
        rank[side] = neighbour[side] ? neighbour[side] - 1 : MPI_PROC_NULL;
    x = allocate_or_fail((edge + 2) * (edge + 2), sizeof *x);
    check_mpi(MPI_Type_vector((int)edge, 1, (int)edge + 2, MPI_DOUBLE, &strided));
    check_mpi(MPI_Type_commit(&strided));
    return x;
}

static void mpi_close(void)
{
    check_mpi(MPI_Type_free(&strided));
    free(x);
}

/* Starts to receive what comes for the halo of a side. The tag is the side of the receiver. */
static void receive(enum halo_side side, size_t i, size_t j, MPI_Request *request)
{
    bool contiguous = side == WEST || side == EAST;
    check_mpi(MPI_Irecv(&x[halo_index(edge, i, j)], contiguous ? (int)edge : 1,
                        contiguous ? MPI_DOUBLE : strided, rank[side], side, MPI_COMM_WORLD,
                        request));
}

static void send(enum halo_side side, enum halo_side theirs, size_t i, size_t j,
                 MPI_Request *request)
{
    bool contiguous = side == WEST || side == EAST;
    check_mpi(MPI_Isend(&x[halo_index(edge, i, j)], contiguous ? (int)edge : 1,
                        contiguous ? MPI_DOUBLE : strided, rank[side], theirs, MPI_COMM_WORLD,
                        request));
}

static void mpi_exchange(int times)
{
    for (int n = 0; n < times; n++) {
        MPI_Request requests[2 * SIDES];
        receive(WEST, 1, 0, &requests[0]);
        receive(EAST, 1, edge + 1, &requests[1]);
        receive(NORTH, 0, 1, &requests[2]);
        receive(SOUTH, edge + 1, 1, &requests[3]);
        send(WEST, EAST, 1, 1, &requests[4]);
        send(EAST, WEST, 1, edge, &requests[5]);
        send(NORTH, SOUTH, 1, 1, &requests[6]);
        send(SOUTH, NORTH, edge, 1, &requests[7]);
        check_mpi(MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE));
    }
}

const struct halo_kernels halo_mpi = {mpi_open, mpi_close, mpi_exchange};
