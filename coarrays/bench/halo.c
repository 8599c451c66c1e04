#include "halo.h"

#include <string.h>

#include "images.h"

struct halo_kernels halo_of(const struct kernels *kernels)
{
    static const char *const names[] = {"open", "close", "exchange", NULL};
    struct halo_kernels found;
    kernels_find(kernels, "halo_", names, &found);
    return found;
}

static struct caf_coarray *x;
static double *mine;
static size_t edge;
static int neighbour[SIDES], distinct[SIDES], distinct_count;

static double *caf_open(int64_t length, const int *given)
{
    void *memory;
    edge = (size_t)length;
    memcpy(neighbour, given, sizeof neighbour);
    distinct_count = halo_distinct(neighbour, distinct);
    check_status(caf_allocate(&x, (edge + 2) * (edge + 2) * sizeof(double), CAF_DATA, &memory));
    return mine = memory;
}

static void caf_close(void)
{
    check_status(caf_free(x));
}

/* `edge` cells from x(from_i, from_j) on go to x(to_i, to_j) and on of the image; `stride` doubles
 * lie between one and the next on both sides. */
static void put(int image, size_t to_i, size_t to_j, size_t from_i, size_t from_j, size_t stride)
{
    struct caf_shape shape = {.rank = 1, .element_bytes = sizeof(double), .count = {edge}};
    struct caf_strides strides = {.stride = {(ptrdiff_t)(stride * sizeof(double))}};
    if (image)
        check_status(caf_put_section(x, image, halo_index(edge, to_i, to_j) * sizeof(double),
                                     &strides, &mine[halo_index(edge, from_i, from_j)], &strides,
                                     &shape));
}

static void caf_exchange(int times)
{
    for (int i = 0; i < times; i++) {
        /* The neighbours no longer read their halos. */
        check_status(caf_sync_images(distinct_count, distinct));
        put(neighbour[WEST], 1, edge + 1, 1, 1, 1);
        put(neighbour[EAST], 1, 0, 1, edge, 1);
        put(neighbour[NORTH], edge + 1, 1, 1, 1, edge + 2);
        put(neighbour[SOUTH], 0, 1, edge, 1, edge + 2);
        check_status(caf_sync_images(distinct_count, distinct));
    }
}

const struct halo_kernels halo_caf = {caf_open, caf_close, caf_exchange};
