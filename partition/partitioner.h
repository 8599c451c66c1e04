/* partitioner.h: cuts a grid of blocks into one part per device. */
#ifndef PARTITIONER_H
#define PARTITIONER_H

#include "partition.h"

/* A box of blocks. */
struct grid_part {
    int device;
    unsigned offset[3]; /* first block */
    unsigned blocks[3]; /* of each dimension; all 0: nothing to do for this device */
};

static inline bool grid_part_is_empty(const struct grid_part *part)
{
    return part->blocks[0] == 0 || part->blocks[1] == 0 || part->blocks[2] == 0;
}

/* Cuts `grid` (blocks) along the dimensions named in `split` ("x" ... "z": one; "xy", "xz", "yz":
 * two) for `devices` devices and writes `devices` parts. Parts differ by at most one block along a
 * cut; with fewer blocks than devices some parts are empty. Two dimensions: the factor pair of
 * `devices` whose parts have the shortest border; a prime number of devices is cut along one.
 * `thesis`: the thesis's printed two-dimensional rule with its offsets corrected (an even number of
 * devices: 2 x devices/2; refused for prime numbers and for fewer than two blocks in the smaller
 * dimension). Returns false, with the reason, for three dimensions, unknown letters, empty grids.
 */
bool partition_grid(const unsigned grid[3], int devices, const char *split, bool thesis,
                    struct grid_part *parts, char reason[PARTITION_REASON]);

#endif
