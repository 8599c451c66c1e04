/* partition_grid: every block exactly once, fair parts, the thesis's examples,
 * what is refused. */
#include <stdlib.h>
#include <string.h>

#include <datamotion/partition.h>

#include "common/random.h"
#include "tests/unit/test_status.h"

static const char *const splits[] = {"x", "y", "z", "xy", "xz", "yz"};
enum { SPLITS = sizeof splits / sizeof splits[0] };

static struct partition_part parts[PARTITION_MAX_DEVICES];

static enum dm_status try_cut(unsigned x, unsigned y, unsigned z, int devices, const char *split,
                              bool thesis)
{
    unsigned grid[3] = {x, y, z};
    memset(parts, 0xff, sizeof parts);
    return partition_grid(grid, devices, split, thesis, parts);
}

static bool cut(unsigned x, unsigned y, unsigned z, int devices, const char *split, bool thesis)
{
    return try_cut(x, y, z, devices, split, thesis) == DM_OK;
}

static bool is_part(int device, unsigned x, unsigned y, unsigned z, unsigned width, unsigned height,
                    unsigned depth)
{
    struct partition_part expected = {device, {x, y, z}, {width, height, depth}};
    return memcmp(&parts[device], &expected, sizeof expected) == 0;
}

/* ---- properties on random grids ---- */

static unsigned draw(unsigned bound)
{
    static uint64_t calls;
    return 1 + (unsigned)random_below(4, calls++, bound);
}

/* Whether each block is given to exactly one device, and no part leaves the
 * grid. */
static bool covers_once(const unsigned grid[3], int devices)
{
    static unsigned char given[32][32][32];
    memset(given, 0, sizeof given);
    for (int d = 0; d < devices; d++)
        for (unsigned z = 0; z < parts[d].blocks[2]; z++)
            for (unsigned y = 0; y < parts[d].blocks[1]; y++)
                for (unsigned x = 0; x < parts[d].blocks[0]; x++) {
                    unsigned at[3] = {parts[d].offset[0] + x, parts[d].offset[1] + y,
                                      parts[d].offset[2] + z};
                    if (at[0] >= grid[0] || at[1] >= grid[1] || at[2] >= grid[2])
                        return false;
                    given[at[2]][at[1]][at[0]]++;
                }
    for (unsigned z = 0; z < grid[2]; z++)
        for (unsigned y = 0; y < grid[1]; y++)
            for (unsigned x = 0; x < grid[0]; x++)
                if (given[z][y][x] != 1)
                    return false;
    return true;
}

static bool is_empty(const struct partition_part *part)
{
    static const unsigned none[3];
    return memcmp(part->blocks, none, sizeof none) == 0 &&
           memcmp(part->offset, none, sizeof none) == 0;
}

/* Largest difference of the sizes of parts with work along a dimension. */
static unsigned spread(int devices, int dimension)
{
    unsigned smallest = ~0u, largest = 0;
    for (int d = 0; d < devices; d++) {
        unsigned blocks = parts[d].blocks[dimension];
        if (is_empty(&parts[d]))
            continue;
        smallest = blocks < smallest ? blocks : smallest;
        largest = blocks > largest ? blocks : largest;
    }
    return largest - smallest;
}

static int working(int devices)
{
    int count = 0;
    for (int d = 0; d < devices; d++)
        count += !is_empty(&parts[d]);
    return count;
}

static void check_parts(const unsigned grid[3], int devices, const char *split)
{
    expect(covers_once(grid, devices));
    for (int d = 0; d < devices; d++)
        expect(parts[d].device == d);
    for (int dimension = 0; dimension < 3; dimension++) {
        bool is_cut = strchr(split, 'x' + dimension);
        expect(spread(devices, dimension) <= is_cut);
        for (int d = 0; d < devices && !is_cut; d++)
            expect(is_empty(&parts[d]) || parts[d].blocks[dimension] == grid[dimension]);
    }
}

static void each_block_once_and_evenly(void)
{
    for (int round = 0; round < 1500; round++) {
        unsigned grid[3] = {draw(32), draw(32), draw(6)};
        int devices = (int)draw(round % 10 ? 20 : PARTITION_MAX_DEVICES);
        const char *split = splits[round % SPLITS];
        expect(cut(grid[0], grid[1], grid[2], devices, split, false));
        check_parts(grid, devices, split);
        if (strlen(split) == 1) {
            int blocks = (int)grid[split[0] - 'x'];
            expect(working(devices) == (blocks < devices ? blocks : devices));
        }
        if (cut(grid[0], grid[1], grid[2], devices, split, true))
            check_parts(grid, devices, split);
        else
            expect(strlen(split) == 2);
    }
}

/* ---- examples ---- */

static void the_first_parts_get_the_rest(void)
{
    expect(cut(4, 11, 2, 3, "y", false));
    expect(is_part(0, 0, 0, 0, 4, 4, 2));
    expect(is_part(1, 0, 4, 0, 4, 4, 2));
    expect(is_part(2, 0, 8, 0, 4, 3, 2));
}

static void fewer_blocks_than_devices(void)
{
    expect(cut(3, 1, 1, 5, "x", false));
    expect(is_part(2, 2, 0, 0, 1, 1, 1));
    expect(is_part(3, 0, 0, 0, 0, 0, 0));
    expect(is_part(4, 0, 0, 0, 0, 0, 0));
    expect(cut(7, 9, 2, 1, "xy", false));
    expect(is_part(0, 0, 0, 0, 7, 9, 2));
    expect(cut(2, 2, 1, 16, "xy", false));
    expect(working(16) == 4);
}

static void two_dimensions_have_short_borders(void)
{
    expect(cut(16, 16, 1, 16, "xy", false));
    expect(is_part(0, 0, 0, 0, 4, 4, 1));
    expect(is_part(5, 4, 4, 0, 4, 4, 1));
    expect(is_part(15, 12, 12, 0, 4, 4, 1));
    expect(cut(8, 32, 1, 16, "xy", false)); /* 2 x 8 */
    expect(is_part(3, 4, 4, 0, 4, 4, 1));
    expect(cut(1, 40, 1, 16, "xy", false)); /* one block wide: all cuts along y */
    expect(working(16) == 16);
    expect(cut(30, 30, 1, 7, "xy", false)); /* a prime: strips along y */
    expect(is_part(6, 0, 26, 0, 30, 4, 1));
    expect(cut(1, 10, 10, 6, "yz", false));
    expect(is_part(1, 0, 5, 0, 1, 5, 4));
}

static void the_thesis_cuts_the_smaller_side_in_two(void)
{
    expect(cut(16, 16, 1, 16, "xy", true));
    expect(is_part(0, 0, 0, 0, 8, 2, 1));
    expect(is_part(1, 8, 0, 0, 8, 2, 1));
    expect(is_part(15, 8, 14, 0, 8, 2, 1));
    expect(cut(16, 4, 1, 8, "xy", true));
    expect(is_part(4, 0, 2, 0, 4, 2, 1));
    expect(working(8) == 8);
    expect(cut(9, 9, 1, 9, "xy", true));
    expect(is_part(8, 6, 6, 0, 3, 3, 1));
    expect(cut(5, 5, 1, 3, "y", true)); /* one dimension: as without the rule */
    expect(is_part(0, 0, 0, 0, 5, 2, 1));
}

static void what_is_refused(void)
{
    expect_error(try_cut(4, 4, 4, 8, "xyz", false), DM_INVALID, "one or two dimensions");
    expect_error(try_cut(4, 4, 4, 8, "", false), DM_INVALID, "expected");
    expect_error(try_cut(4, 4, 4, 8, "q", false), DM_INVALID, "`q`");
    expect_error(try_cut(4, 4, 4, 8, "xx", false), DM_INVALID, "pairs");
    expect_error(try_cut(4, 4, 4, 8, "yx", false), DM_INVALID, "pairs");
    expect_error(try_cut(4, 0, 4, 8, "x", false), DM_INVALID, "empty");
    expect_error(try_cut(4, 4, 4, 0, "x", false), DM_INVALID, "devices");
    expect_error(try_cut(4, 4, 4, -1, "x", false), DM_INVALID, "devices");
    expect_error(try_cut(4, 4, 4, PARTITION_MAX_DEVICES + 1, "x", false), DM_INVALID, "devices");
    expect_error(try_cut(1, 40, 1, 4, "xy", true), DM_INVALID, "fewer than 2");
    for (int devices = 1; devices <= 7; devices++) {
        bool has_factors = devices == 4 || devices == 6;
        if (has_factors)
            expect_ok(try_cut(40, 40, 1, devices, "xy", true));
        else
            expect_error(try_cut(40, 40, 1, devices, "xy", true), DM_INVALID, "no product");
    }
    expect_error(try_cut(2, 40, 1, 9, "xy", true), DM_INVALID, "fit");
}

static void large_grids_do_not_overflow(void)
{
    unsigned largest = 2147483647u;
    expect(cut(largest, 65535, 65535, 64, "xy", false));
    expect(is_part(0, 0, 0, 0, 33554432, 65535, 65535));
    expect(parts[63].offset[0] + parts[63].blocks[0] == largest);
}

int main(void)
{
    run_test(each_block_once_and_evenly);
    run_test(the_first_parts_get_the_rest);
    run_test(fewer_blocks_than_devices);
    run_test(two_dimensions_have_short_borders);
    run_test(the_thesis_cuts_the_smaller_side_in_two);
    run_test(what_is_refused);
    run_test(large_grids_do_not_overflow);
    return end_tests();
}
