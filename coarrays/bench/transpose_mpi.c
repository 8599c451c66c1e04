/* transpose_mpi.c: the distributed transpose with MPI_Alltoall in C, packed and unpacked. */
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "common/harness/exit.h"
#include "common/harness/ranks.h"

#include "transpose.h"

static double *b, *leaving, *arriving;
static size_t nx, ny, nz;     /* of the whole array */
static size_t slab_y, slab_z; /* of one image */

static void create(const int size[3])
{
    size_t images = (size_t)ranks.count;
    nx = (size_t)size[0];
    ny = (size_t)size[1];
    nz = (size_t)size[2];
    slab_y = ny / images;
    slab_z = nz / images;
    b = allocate_or_fail(nx * nz * slab_y, sizeof *b);
    leaving = allocate_or_fail(nx * ny * slab_z, sizeof *leaving);
    arriving = allocate_or_fail(nx * nz * slab_y, sizeof *arriving);
}

static void clear(void)
{
    for (size_t i = 0; i < nx * nz * slab_y; i++)
        b[i] = -1.0;
}

/* Line z of the slab, y of the block, in what goes to or comes from an image. */
static double *packed_line(double *packed, size_t image, size_t y, size_t z)
{
    return packed + nx * (z + slab_z * (y + slab_y * image));
}

static void run(const double *a)
{
    size_t images = (size_t)ranks.count, line_bytes = nx * sizeof *a;
    int block = (int)(nx * slab_y * slab_z);
    for (size_t image = 0; image < images; image++)
        for (size_t y = 0; y < slab_y; y++)
            for (size_t z = 0; z < slab_z; z++)
                memcpy(packed_line(leaving, image, y, z), a + nx * (image * slab_y + y + ny * z),
                       line_bytes);
    check_mpi(
        MPI_Alltoall(leaving, block, MPI_DOUBLE, arriving, block, MPI_DOUBLE, MPI_COMM_WORLD));
    for (size_t image = 0; image < images; image++)
        for (size_t y = 0; y < slab_y; y++)
            memcpy(b + nx * (image * slab_z + nz * y), packed_line(arriving, image, y, 0),
                   slab_z * line_bytes);
}

static void get(double *values)
{
    memcpy(values, b, nx * nz * slab_y * sizeof *b);
}

static void destroy(void)
{
    free(b);
    free(leaving);
    free(arriving);
}

const struct transpose_kernels transpose_mpi = {create, clear, run, get, destroy};
