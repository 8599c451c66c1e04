/* himeno_grid.c: blocks of the grid, and what they start with. */
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/random.h"

#include "himeno.h"

size_t himeno_points(const int extent[3])
{
    return (size_t)extent[0] * (size_t)extent[1] * (size_t)extent[2];
}

size_t himeno_halo_points(const int extent[3])
{
    return (size_t)(extent[0] + 2) * (size_t)(extent[1] + 2) * (size_t)(extent[2] + 2);
}

/* ---- blocks ---- */

/* The first blocks get one point more if they cannot all be equal. */
static int extent_of(int points, int blocks, int place)
{
    return points / blocks + (place < points % blocks);
}

static int start_of(int points, int blocks, int place)
{
    int rest = points % blocks;
    return 1 + place * (points / blocks) + (place < rest ? place : rest);
}

struct himeno_block himeno_block(const int size[3], const int images[3], int image)
{
    struct himeno_block block = {0};
    int stride = 1;
    for (int d = 0; d < 3; d++) {
        int points = size[d] - 2;
        int place = (image - 1) / stride % images[d];
        block.extent[OWN][d] = extent_of(points, images[d], place);
        block.extent[LARGEST][d] = extent_of(points, images[d], 0);
        block.start[d] = start_of(points, images[d], place);
        if (place > 0) {
            block.neighbour[d][0] = image - stride;
            block.extent[LOWER][d] = extent_of(points, images[d], place - 1);
        }
        if (place + 1 < images[d])
            block.neighbour[d][1] = image + stride;
        stride *= images[d];
    }
    return block;
}

struct himeno_block himeno_block_of(const int extent[3][3], const int neighbour[3][2])
{
    struct himeno_block block = {0};
    memcpy(block.extent, extent, sizeof block.extent);
    memcpy(block.neighbour, neighbour, sizeof block.neighbour);
    return block;
}

struct himeno_layer himeno_layer(const struct himeno_block *block, int dimension, int side)
{
    struct himeno_layer layer;
    for (int d = 0; d < 3; d++) {
        bool with_halo = d < dimension;
        layer.first[d] = layer.target[d] = with_halo ? 0 : 1;
        layer.count[d] = block->extent[OWN][d] + (with_halo ? 2 : 0);
    }
    layer.first[dimension] = side == 0 ? 1 : block->extent[OWN][dimension];
    layer.target[dimension] = side == 0 ? block->extent[LOWER][dimension] + 1 : 0;
    layer.count[dimension] = 1;
    return layer;
}

/* ---- start ---- */

/* A number of its own for each point of the whole grid. */
static uint64_t number_of(const int size[3], const struct himeno_block *block, int i, int j, int k)
{
    uint64_t x = (uint64_t)(block->start[0] + i), y = (uint64_t)(block->start[1] + j);
    uint64_t z = (uint64_t)(block->start[2] + k);
    return x + (uint64_t)size[0] * (y + (uint64_t)size[1] * z);
}

enum { COEFFICIENTS = 12 }; /* a, b, c, bound, source */

/* Six neighbours weigh 1 +- 0.1, twelve at most 0.05, and a[3] makes the sum of all weights less
 * than 1, so that errors shrink; at one point in 64 the pressure stays as it is. */
static float coefficient(int which, uint64_t seed, uint64_t number)
{
    double random = random_uniform(seed + (uint64_t)which, number) - 0.5;
    switch (which) {
    case 3: /* a[3] */
        return (float)(1.0 / 7.3 + 0.002 * random);
    case 4:
    case 5:
    case 6: /* b */
        return (float)(0.1 * random);
    case 10: /* bound */
        return random < -0.5 + 1.0 / 64 ? 0.0f : 1.0f;
    case 11: /* source */
        return (float)(0.01 * random);
    default: /* a[0..2], c */
        return (float)(1.0 + 0.2 * random);
    }
}

struct himeno_coefficients himeno_start(const int size[3], const struct himeno_block *block,
                                        uint64_t seed)
{
    size_t points = himeno_points(block->extent[OWN]);
    float *all = allocate_or_fail(COEFFICIENTS * points, sizeof *all);
    float *next = all;
    for (int which = 0; which < COEFFICIENTS; which++)
        for (int k = 0; k < block->extent[OWN][2]; k++)
            for (int j = 0; j < block->extent[OWN][1]; j++)
                for (int i = 0; i < block->extent[OWN][0]; i++)
                    *next++ = coefficient(which, seed, number_of(size, block, i, j, k));
    return (struct himeno_coefficients){
        .a = all,
        .b = all + 4 * points,
        .c = all + 7 * points,
        .bound = all + 10 * points,
        .source = all + 11 * points,
    };
}

void himeno_free(struct himeno_coefficients *coefficients)
{
    free((float *)coefficients->a);
}

void himeno_pressure(const int size[3], const struct himeno_block *block, uint64_t seed,
                     float *pressure)
{
    for (int k = -1; k <= block->extent[OWN][2]; k++)
        for (int j = -1; j <= block->extent[OWN][1]; j++)
            for (int i = -1; i <= block->extent[OWN][0]; i++) {
                double z = (double)(block->start[2] + k) / (size[2] - 1);
                double random =
                    random_uniform(seed + COEFFICIENTS, number_of(size, block, i, j, k));
                *pressure++ = (float)(z * z + 0.1 * random);
            }
}
