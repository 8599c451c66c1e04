/* halo_grid.h: squares of cells with a halo one cell wide: who is beside whom, and which values
 * belong where. Knows no images and no MPI. */
#ifndef COARRAYS_BENCH_HALO_GRID_H
#define COARRAYS_BENCH_HALO_GRID_H

#include <stddef.h>
#include <stdint.h>

/* An image's cells are x(1:edge, 1:edge) of x(0:edge+1, 0:edge+1) in Fortran's order: those with
 * the same second index are contiguous. West and east are along the second dimension, so that
 * their halos are contiguous; the halos of north and south are strided. */
enum halo_side { WEST, EAST, NORTH, SOUTH, SIDES };

/* rows: 1 x images. grid: as square as can be, at least as many north to south as west to east. */
enum halo_layout { HALO_ROWS, HALO_GRID };

/* An image's place, periodic where there is more than one image along a dimension. */
struct halo_place {
    int image;            /* from 1 */
    int neighbour[SIDES]; /* 0: none, the image fills the whole dimension */
};
struct halo_place halo_place(enum halo_layout layout, int image, int images);

/* The neighbours without repetition; their number. */
int halo_distinct(const int neighbour[SIDES], int distinct[SIDES]);

/* Index of x(i, j) in memory. */
static inline size_t halo_index(size_t edge, size_t i, size_t j)
{
    return i + (edge + 2) * j;
}

/* Gives the outermost cells the values that belong to the seed, which are different on each image,
 * and empties the halo. */
void halo_fill(double *memory, size_t edge, const struct halo_place *place, uint64_t seed);

/* Number of halo cells that are not what the neighbour has, or are no longer empty where there is
 * no neighbour, and of outermost cells that have changed. */
long halo_wrong(const double *memory, size_t edge, const struct halo_place *place, uint64_t seed);

#endif
