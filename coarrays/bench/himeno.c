/* himeno.c: the Himeno benchmark with coarrays in C. */
#include "himeno.h"

#include <stdlib.h>

#include <datamotion/coarrays.h>

#include "common/harness/exit.h"

#include "images.h"

static struct himeno_block block;
static struct caf_coarray *coarray;
static float *pressure; /* this image's part */
static float *next;

static void create(const int extents[3][3], const int neighbour[3][2])
{
    block = himeno_block_of(extents, neighbour);
    check_status(caf_allocate(&coarray,
                              himeno_halo_points(block.extent[LARGEST]) * sizeof *pressure,
                              CAF_DATA, (void **)&pressure));
    next = allocate_or_fail(himeno_points(block.extent[OWN]), sizeof *next);
}

static void set(const float *values)
{
    himeno_spread(&block, values, pressure);
    check_status(caf_sync_all());
}

/* With the neighbours in these dimensions. */
static void sync_neighbours(int first_dimension, int last_dimension)
{
    int images[6], count = 0;
    for (int d = first_dimension; d <= last_dimension; d++)
        for (int side = 0; side < 2; side++)
            if (block.neighbour[d][side])
                images[count++] = block.neighbour[d][side];
    check_status(caf_sync_images(count, images));
}

static void put_layer(int dimension, int side)
{
    struct himeno_layer layer = himeno_layer(&block, dimension, side);
    struct caf_shape shape = {.rank = 3, .element_bytes = sizeof(float)};
    struct caf_strides strides;
    for (int d = 0; d < 3; d++)
        shape.count[d] = (size_t)layer.count[d];
    strides.stride[0] = sizeof(float);
    strides.stride[1] = (block.extent[LARGEST][0] + 2) * strides.stride[0];
    strides.stride[2] = (block.extent[LARGEST][1] + 2) * strides.stride[1];
    const int *to = layer.target, *from = layer.first;
    check_status(caf_put_section(
        coarray, block.neighbour[dimension][side],
        himeno_offset(&block, to[0], to[1], to[2]) * sizeof(float), &strides,
        pressure + himeno_offset(&block, from[0], from[1], from[2]), &strides, &shape));
}

/* A layer holds what the exchanges in the dimensions before have brought, so that edges arrive,
 * too. */
static void exchange(void)
{
    for (int d = 0; d < 3; d++) {
        for (int side = 0; side < 2; side++)
            if (block.neighbour[d][side])
                put_layer(d, side);
        sync_neighbours(d, d);
    }
}

static void run(int iterations, const float *a, const float *b, const float *c, const float *bound,
                const float *source, double *gosa)
{
    struct himeno_coefficients coefficients = {a, b, c, bound, source};
    for (int n = 0; n < iterations; n++) {
        *gosa = himeno_jacobi(&block, &coefficients, pressure, next);
        himeno_update(&block, next, pressure);
        sync_neighbours(0, 2); /* they do not read their halo any more */
        exchange();
        check_status(caf_sum(gosa, 1, CAF_DOUBLE, 0));
    }
}

static void get(float *values)
{
    himeno_compact(&block, pressure, values);
}

static void destroy(void)
{
    check_status(caf_free(coarray));
    free(next);
}

const struct himeno_kernels himeno_caf = {create, set, run, get, destroy};
