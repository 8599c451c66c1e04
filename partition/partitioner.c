/* partitioner.c: how often each dimension is cut, and which part a device gets. */
#include <datamotion/partition.h>

#include <string.h>

#include "common/error.h"

/* How often each of up to two dimensions is cut. */
struct cuts {
    int dimension[2];
    unsigned factor[2];
};

static unsigned minimum(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* ---- which dimensions ---- */

/* Reads the letters, of which there are *count. */
static enum dm_status read_split(const char *split, int dimension[2], size_t *count)
{
    size_t letters = *count = strlen(split);
    if (letters == 0 || strspn(split, "xyz") != letters)
        return dm_fail(DM_INVALID, "split `%.16s`: x, y, z or two of them are expected", split);
    if (letters > 2)
        return dm_fail(DM_INVALID, "split `%.16s`: grids are cut along one or two dimensions",
                       split);
    for (size_t i = 0; i < letters; i++)
        dimension[i] = split[i] - 'x';
    if (letters == 2 && dimension[0] >= dimension[1])
        return dm_fail(DM_INVALID, "split `%s`: xy, xz and yz are the pairs of dimensions", split);
    return DM_OK;
}

/* ---- how often each is cut ---- */

/* Devices that get work if the two dimensions are cut like that. */
static uint64_t used_parts(const unsigned blocks[2], const unsigned factor[2])
{
    return (uint64_t)minimum(blocks[0], factor[0]) * minimum(blocks[1], factor[1]);
}

/* Sum of the lengths of all cuts, in blocks. */
static uint64_t border(const unsigned blocks[2], const unsigned factor[2])
{
    return (uint64_t)(factor[0] - 1) * blocks[1] + (uint64_t)(factor[1] - 1) * blocks[0];
}

/* More devices with work count more than a short border. Of equals the pair
 * that comes first is kept: it cuts the second dimension more often, whose
 * parts are contiguous in memory. */
static bool is_better(const unsigned blocks[2], const unsigned factor[2], const unsigned than[2])
{
    uint64_t used = used_parts(blocks, factor), used_before = used_parts(blocks, than);
    if (used != used_before)
        return used > used_before;
    return border(blocks, factor) < border(blocks, than);
}

static void choose_even(const unsigned blocks[2], unsigned devices, unsigned factor[2])
{
    factor[0] = 1;
    factor[1] = devices;
    for (unsigned first = 2; first <= devices; first++) {
        unsigned candidate[2] = {first, devices / first};
        if (devices % first == 0 && is_better(blocks, candidate, factor))
            memcpy(factor, candidate, sizeof candidate);
    }
}

/* The thesis's search: the largest divisor up to devices / 2 whose smaller
 * factor fits into the smaller dimension. */
static enum dm_status choose_thesis(const unsigned blocks[2], unsigned devices, unsigned factor[2])
{
    int small_side = blocks[1] < blocks[0];
    if (blocks[small_side] < 2)
        return dm_fail(DM_INVALID, "the smaller dimension has fewer than 2 blocks");
    for (unsigned divisor = devices / 2; divisor >= 2; divisor--) {
        unsigned other = devices / divisor, small = minimum(divisor, other);
        if (devices % divisor != 0 || small > blocks[small_side])
            continue;
        factor[small_side] = small;
        factor[!small_side] = devices / small;
        return DM_OK;
    }
    return dm_fail(DM_INVALID,
                   "%u devices are no product of two factors that fit into %u x %u blocks", devices,
                   blocks[0], blocks[1]);
}

static enum dm_status choose_cuts(const unsigned grid[3], int devices, const char *split,
                                  bool thesis, struct cuts *cuts)
{
    size_t dimensions;
    TRY(read_split(split, cuts->dimension, &dimensions));
    if (dimensions == 1) {
        cuts->dimension[1] = (cuts->dimension[0] + 1) % 3;
        cuts->factor[0] = (unsigned)devices;
        cuts->factor[1] = 1;
        return DM_OK;
    }
    unsigned blocks[2] = {grid[cuts->dimension[0]], grid[cuts->dimension[1]]};
    if (thesis)
        return choose_thesis(blocks, (unsigned)devices, cuts->factor);
    choose_even(blocks, (unsigned)devices, cuts->factor);
    return DM_OK;
}

/* ---- parts ---- */

/* The strip `index` of `strips`: the first ones get one of the blocks that are
 * left over. */
static void cut_strip(struct partition_part *part, int dimension, unsigned strips, unsigned index)
{
    unsigned base = part->blocks[dimension] / strips, rest = part->blocks[dimension] % strips;
    part->offset[dimension] = index * base + minimum(index, rest);
    part->blocks[dimension] = base + (index < rest);
}

static struct partition_part make_part(const unsigned grid[3], const struct cuts *cuts, int device)
{
    struct partition_part part = {.device = device, .blocks = {grid[0], grid[1], grid[2]}};
    unsigned number = (unsigned)device;
    cut_strip(&part, cuts->dimension[0], cuts->factor[0], number % cuts->factor[0]);
    cut_strip(&part, cuts->dimension[1], cuts->factor[1], number / cuts->factor[0]);
    if (partition_part_is_empty(&part))
        return (struct partition_part){.device = device};
    return part;
}

enum dm_status partition_grid(const unsigned grid[3], int devices, const char *split, bool thesis,
                              struct partition_part *parts)
{
    if (devices < 1 || devices > PARTITION_MAX_DEVICES)
        return dm_fail(DM_INVALID, "%d devices: 1 to %d are expected", devices,
                       PARTITION_MAX_DEVICES);
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0)
        return dm_fail(DM_INVALID, "the grid of %u x %u x %u blocks is empty", grid[0], grid[1],
                       grid[2]);
    struct cuts cuts = {0};
    TRY(choose_cuts(grid, devices, split, thesis, &cuts));
    for (int device = 0; device < devices; device++)
        parts[device] = make_part(grid, &cuts, device);
    return DM_OK;
}
