/* partitioner.c: how often each dimension is cut, and which part a device gets. */
#include "partitioner.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* How often each of up to two dimensions is cut. */
struct cuts {
    int dimension[2];
    unsigned factor[2];
};

static bool refuse(char reason[PARTITION_REASON], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool refuse(char reason[PARTITION_REASON], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, PARTITION_REASON, format, arguments);
    va_end(arguments);
    return false;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* ---- which dimensions ---- */

/* Reads the letters; returns how many there are, 0 with the reason if they
 * cannot be. */
static int read_split(const char *split, int dimension[2], char reason[PARTITION_REASON])
{
    size_t letters = strlen(split);
    if (letters == 0 || strspn(split, "xyz") != letters) {
        refuse(reason, "split `%.16s`: x, y, z or two of them are expected", split);
        return 0;
    }
    if (letters > 2) {
        refuse(reason, "split `%.16s`: grids are cut along one or two dimensions", split);
        return 0;
    }
    for (size_t i = 0; i < letters; i++)
        dimension[i] = split[i] - 'x';
    if (letters == 2 && dimension[0] >= dimension[1]) {
        refuse(reason, "split `%s`: xy, xz and yz are the pairs of dimensions", split);
        return 0;
    }
    return (int)letters;
}

/* ---- how often each is cut ---- */

/* Devices that get work if the two dimensions are cut like that. */
static uint64_t used_parts(const unsigned blocks[2], const unsigned factor[2])
{
    return (uint64_t)least(blocks[0], factor[0]) * least(blocks[1], factor[1]);
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
static bool choose_thesis(const unsigned blocks[2], unsigned devices, unsigned factor[2],
                          char reason[PARTITION_REASON])
{
    int small_side = blocks[1] < blocks[0];
    if (blocks[small_side] < 2)
        return refuse(reason, "the smaller dimension has fewer than 2 blocks");
    for (unsigned divisor = devices / 2; divisor >= 2; divisor--) {
        unsigned other = devices / divisor, small = least(divisor, other);
        if (devices % divisor != 0 || small > blocks[small_side])
            continue;
        factor[small_side] = small;
        factor[!small_side] = devices / small;
        return true;
    }
    return refuse(reason, "%u devices are no product of two factors that fit into %u x %u blocks",
                  devices, blocks[0], blocks[1]);
}

static bool choose_cuts(const unsigned grid[3], int devices, const char *split, bool thesis,
                        struct cuts *cuts, char reason[PARTITION_REASON])
{
    int dimensions = read_split(split, cuts->dimension, reason);
    if (dimensions == 0)
        return false;
    if (dimensions == 1) {
        cuts->dimension[1] = (cuts->dimension[0] + 1) % 3;
        cuts->factor[0] = (unsigned)devices;
        cuts->factor[1] = 1;
        return true;
    }
    unsigned blocks[2] = {grid[cuts->dimension[0]], grid[cuts->dimension[1]]};
    if (thesis)
        return choose_thesis(blocks, (unsigned)devices, cuts->factor, reason);
    choose_even(blocks, (unsigned)devices, cuts->factor);
    return true;
}

/* ---- parts ---- */

/* The strip `index` of `strips`: the first ones get one of the blocks that are
 * left over. */
static void cut_strip(struct grid_part *part, int dimension, unsigned strips, unsigned index)
{
    unsigned base = part->blocks[dimension] / strips, rest = part->blocks[dimension] % strips;
    part->offset[dimension] = index * base + least(index, rest);
    part->blocks[dimension] = base + (index < rest);
}

static struct grid_part make_part(const unsigned grid[3], const struct cuts *cuts, int device)
{
    struct grid_part part = {.device = device, .blocks = {grid[0], grid[1], grid[2]}};
    unsigned number = (unsigned)device;
    cut_strip(&part, cuts->dimension[0], cuts->factor[0], number % cuts->factor[0]);
    cut_strip(&part, cuts->dimension[1], cuts->factor[1], number / cuts->factor[0]);
    if (grid_part_is_empty(&part))
        return (struct grid_part){.device = device};
    return part;
}

bool partition_grid(const unsigned grid[3], int devices, const char *split, bool thesis,
                    struct grid_part *parts, char reason[PARTITION_REASON])
{
    if (devices < 1 || devices > PARTITION_MAX_DEVICES)
        return refuse(reason, "%d devices: 1 to %d are expected", devices, PARTITION_MAX_DEVICES);
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0)
        return refuse(reason, "the grid of %u x %u x %u blocks is empty", grid[0], grid[1],
                      grid[2]);
    struct cuts cuts;
    if (!choose_cuts(grid, devices, split, thesis, &cuts, reason))
        return false;
    for (int device = 0; device < devices; device++)
        parts[device] = make_part(grid, &cuts, device);
    return true;
}
