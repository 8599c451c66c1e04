/* transpose.c: the distributed transpose with coarrays in C: one section to each image. */
#include "transpose.h"

#include <string.h>

#include <datamotion/coarrays.h>

#include "images.h"

static struct caf_coarray *coarray;
static double *b;             /* this image's part */
static size_t nx, ny, nz;     /* of the whole array */
static size_t slab_y, slab_z; /* of one image */

static void create(const int size[3])
{
    size_t images = (size_t)caf_num_images();
    nx = (size_t)size[0];
    ny = (size_t)size[1];
    nz = (size_t)size[2];
    slab_y = ny / images;
    slab_z = nz / images;
    check_status(caf_allocate(&coarray, nx * nz * slab_y * sizeof *b, CAF_DATA, (void **)&b));
}

static void clear(void)
{
    for (size_t i = 0; i < nx * nz * slab_y; i++)
        b[i] = -1.0;
    check_status(caf_sync_all());
}

static void put_block(const double *a, int image)
{
    ptrdiff_t one = sizeof *a, line = (ptrdiff_t)nx * one;
    struct caf_shape shape = {.rank = 3, .element_bytes = sizeof *a, .count = {nx, slab_z, slab_y}};
    struct caf_strides from = {{one, line * (ptrdiff_t)ny, line}};
    struct caf_strides to = {{one, line, line * (ptrdiff_t)nz}};
    size_t first_y = (size_t)(image - 1) * slab_y;
    size_t first_z = (size_t)(caf_this_image() - 1) * slab_z;
    check_status(caf_put_section(coarray, image, first_z * nx * sizeof *b, &to, a + first_y * nx,
                                 &from, &shape));
}

/* Each image begins with itself and goes on with the next, so that no image is everybody's target
 * at once. */
static void run(const double *a)
{
    int images = caf_num_images();
    check_status(caf_sync_all());
    for (int step = 0; step < images; step++)
        put_block(a, 1 + (caf_this_image() - 1 + step) % images);
    check_status(caf_sync_all());
}

static void get(double *values)
{
    memcpy(values, b, nx * nz * slab_y * sizeof *b);
}

static void destroy(void)
{
    check_status(caf_free(coarray));
}

const struct transpose_kernels transpose_caf = {create, clear, run, get, destroy};
