/* burgers_mpi.c: the Burgers solver with MPI messages in C. */
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "common/harness/exit.h"
#include "common/harness/ranks.h"

#include "burgers.h"

enum { TO_LEFT, TO_RIGHT };

static double *array[BURGERS_ARRAYS];
static size_t cells;
static int current; /* the array that holds the result */

static void create(int count)
{
    cells = (size_t)count;
    for (int a = 0; a < BURGERS_ARRAYS; a++)
        array[a] = allocate_or_fail(cells + 2, sizeof(double));
}

static void set(const double *u)
{
    memcpy(array[0] + 1, u, cells * sizeof *u);
}

static void exchange(double *u, int left, int right)
{
    MPI_Comm all = MPI_COMM_WORLD;
    MPI_Request requests[4];
    check_mpi(MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, TO_RIGHT, all, &requests[0]));
    check_mpi(MPI_Irecv(&u[cells + 1], 1, MPI_DOUBLE, right, TO_LEFT, all, &requests[1]));
    check_mpi(MPI_Isend(&u[cells], 1, MPI_DOUBLE, right, TO_RIGHT, all, &requests[2]));
    check_mpi(MPI_Isend(&u[1], 1, MPI_DOUBLE, left, TO_LEFT, all, &requests[3]));
    check_mpi(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
}

static void run(int steps, double convection, double diffusion, int left, int right)
{
    for (int step = 0; step < steps; step++)
        for (int stage = 0; stage < BURGERS_STAGES; stage++) {
            double *u = array[burgers_array(step, stage)];
            exchange(u, left - 1, right - 1);
            burgers_stage(stage, (int)cells, convection, diffusion, array[burgers_array(step, 0)],
                          u, array[burgers_array(step, stage + 1)]);
        }
    current = burgers_array(steps, 0);
}

static void get(double *u)
{
    memcpy(u, array[current] + 1, cells * sizeof *u);
}

static void destroy(void)
{
    for (int a = 0; a < BURGERS_ARRAYS; a++)
        free(array[a]);
}

const struct burgers_kernels burgers_mpi = {create, set, run, get, destroy};
