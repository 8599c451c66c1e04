/* himeno.h: Jacobi relaxation of the pressure Poisson equation with a 19-point stencil, in single
 * precision, as the Himeno benchmark has it (R. Himeno; Fanfarillo 2016, 6.4.5).
 *
 * Each iteration computes for every inner point, from its 18 neighbours and 14 coefficients,
 * a correction (34 floating-point operations), adds the relaxed correction, and sums its squares
 * over all images: gosa, the residual. The images form a grid of up to three dimensions; each owns
 * a block of inner points and keeps its neighbours' nearest layer as a halo. */
#ifndef COARRAYS_BENCH_HIMENO_H
#define COARRAYS_BENCH_HIMENO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HIMENO_FLOPS = 34 };
static const float himeno_relaxation = 0.8f;

enum { LOWER, OWN, LARGEST };

/* One image's block, or the whole grid. The first dimension varies fastest. */
struct himeno_block {
    /* Inner points in each dimension of the lower neighbour, of this image, and of the image with
     * the largest extent, for which the array with the halo is allocated. */
    int extent[3][3];
    int start[3]; /* index of its first inner point in the grid, from 1 */
    /* Image number of the lower and upper neighbour in each dimension, from 1; 0: the grid's edge,
     * where the halo holds the boundary values. */
    int neighbour[3][2];
};

/* What does not change: on the block's inner points, without gaps. a[0 .. 3], b[0 .. 2] and
 * c[0 .. 2] follow one another. */
struct himeno_coefficients {
    const float *a, *b, *c, *bound, *source;
};

size_t himeno_points(const int extent[3]);
/* Points with the halo. */
size_t himeno_halo_points(const int extent[3]);

/* The block of an image of a grid of size[] points, boundary included, on images[] images. */
struct himeno_block himeno_block(const int size[3], const int images[3], int image);

/* The start: random coefficients that make the iteration converge, and a pressure, halo included,
 * that grows along the third dimension and is random besides. The values of a point depend on the
 * seed and on its place in the grid alone. */
struct himeno_coefficients himeno_start(const int size[3], const struct himeno_block *block,
                                        uint64_t seed);
void himeno_free(struct himeno_coefficients *coefficients);
void himeno_pressure(const int size[3], const struct himeno_block *block, uint64_t seed,
                     float *pressure);

/* All iterations on a block without neighbours, in double precision and as plainly as possible;
 * gosa is that of the last one. What every variant is compared with. */
double himeno_serial(const struct himeno_block *block,
                     const struct himeno_coefficients *coefficients, int iterations,
                     float *pressure);

/* ---- variants ---- */

/* The block of create's arguments. */
struct himeno_block himeno_block_of(const int extent[3][3], const int neighbour[3][2]);

/* One iteration: `next` gets the new pressure of the inner points; the sum of squares is returned.
 * `pressure` is an array of extent[LARGEST] + 2 points in each dimension. */
double himeno_jacobi(const struct himeno_block *block,
                     const struct himeno_coefficients *coefficients, const float *restrict pressure,
                     float *restrict next);
/* Puts `next` in place in `pressure`. */
void himeno_update(const struct himeno_block *block, const float *next, float *pressure);
/* Copies a pressure of extent[OWN] + 2 points in each dimension into one of extent[LARGEST] + 2, or
 * back. */
void himeno_spread(const struct himeno_block *block, const float *compact, float *pressure);
void himeno_compact(const struct himeno_block *block, const float *pressure, float *compact);

/* Offset of a point of `pressure`; 0 is the halo. */
static inline size_t himeno_offset(const struct himeno_block *block, int i, int j, int k)
{
    return (size_t)i + (size_t)(block->extent[LARGEST][0] + 2) *
                           ((size_t)j + (size_t)(block->extent[LARGEST][1] + 2) * (size_t)k);
}

/* The layer of points that goes to a neighbour in dimension d: in the dimensions before d with the
 * halo, which has come by then, in those after without. */
struct himeno_layer {
    int first[3];  /* where it begins, in this block */
    int target[3]; /* where it begins in the neighbour's block */
    int count[3];
};
struct himeno_layer himeno_layer(const struct himeno_block *block, int dimension, int side);

/* What every variant can do. Collective, in this order. The arguments of create are as in struct
 * himeno_block; pressures have extent[OWN] + 2 points in each dimension. */
struct himeno_kernels {
    void (*create)(const int extent[3][3], const int neighbour[3][2]);
    void (*set)(const float *pressure);
    void (*run)(int iterations, const float *a, const float *b, const float *c, const float *bound,
                const float *source, double *gosa);
    void (*get)(float *pressure);
    void (*destroy)(void);
};
extern const struct himeno_kernels himeno_caf, himeno_mpi;

#endif
