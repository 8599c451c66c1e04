/* The checks of the coarray benchmarks: that they see what is wrong. */
#include <stdbool.h>
#include <stdlib.h>

#include "coarrays/bench/halo_grid.h"
#include "coarrays/bench/pattern.h"
#include "tests/unit/test.h"

/* ---- pattern ---- */

enum { MEMORY_MAX = 200 };
static double memory[MEMORY_MAX];

static void pattern_lies_where_the_picture_says(void)
{
    struct pattern pattern = {.elements = 3, .stride = 4};
    expect(pattern_length(pattern) == 2 * PATTERN_GUARD + 9);
    pattern_fill(memory, pattern, 7);
    for (size_t i = 0; i < pattern_length(pattern); i++) {
        bool element = i == PATTERN_GUARD || i == PATTERN_GUARD + 4 || i == PATTERN_GUARD + 8;
        expect((memory[i] != PATTERN_EMPTY) == element);
        expect(!element || (memory[i] >= 0 && memory[i] < 1));
    }
    expect(pattern_wrong(memory, pattern, 7) == 0);
}

static void pattern_sees_each_wrong_double(void)
{
    const struct pattern patterns[] = {{1, 1}, {1, 5}, {6, 1}, {6, 3}};
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++)
        for (size_t i = 0; i < pattern_length(patterns[p]); i++) {
            pattern_fill(memory, patterns[p], 1);
            memory[i] += 0.25;
            expect(pattern_wrong(memory, patterns[p], 1) == 1);
        }
}

static void pattern_sees_a_transfer_to_the_wrong_place(void)
{
    struct pattern pattern = {.elements = 6, .stride = 3};
    pattern_fill(memory + 1, pattern, 1);
    memory[0] = PATTERN_EMPTY;
    expect(pattern_wrong(memory, pattern, 1) == 12);
    pattern_clear(memory, pattern);
    expect(pattern_wrong(memory, pattern, 1) == 6);
    expect(pattern_wrong_empty(memory, pattern) == 0);
}

static void pattern_sees_values_of_another_seed(void)
{
    struct pattern pattern = {.elements = 6, .stride = 2};
    pattern_fill(memory, pattern, 1);
    expect(pattern_wrong(memory, pattern, 2) == 6);
    expect(pattern_wrong_empty(memory, pattern) == 6);
}

/* ---- halos ---- */

static void neighbours_of_rows_are_west_and_east(void)
{
    struct halo_place place = halo_place(HALO_ROWS, 1, 4);
    expect(place.neighbour[WEST] == 4 && place.neighbour[EAST] == 2);
    expect(place.neighbour[NORTH] == 0 && place.neighbour[SOUTH] == 0);
}

static void a_grid_is_as_square_as_can_be(void)
{
    struct halo_place place = halo_place(HALO_GRID, 1, 6); /* 3 north to south, 2 west to east */
    expect(place.neighbour[NORTH] == 3 && place.neighbour[SOUTH] == 2);
    expect(place.neighbour[WEST] == 4 && place.neighbour[EAST] == 4);
    place = halo_place(HALO_GRID, 9, 9);
    expect(place.neighbour[NORTH] == 8 && place.neighbour[SOUTH] == 7);
    expect(place.neighbour[WEST] == 6 && place.neighbour[EAST] == 3);
    place = halo_place(HALO_GRID, 2, 5);
    expect(place.neighbour[NORTH] == 1 && place.neighbour[SOUTH] == 3);
    expect(place.neighbour[WEST] == 0 && place.neighbour[EAST] == 0);
}

static void neighbours_are_mutual(void)
{
    for (int images = 1; images <= 12; images++)
        for (int layout = HALO_ROWS; layout <= HALO_GRID; layout++)
            for (int image = 1; image <= images; image++) {
                struct halo_place here = halo_place((enum halo_layout)layout, image, images);
                for (int side = WEST; side < SIDES; side++) {
                    int other = here.neighbour[side];
                    expect(other != image && other >= 0 && other <= images);
                    if (other)
                        expect(halo_place((enum halo_layout)layout, other, images)
                                   .neighbour[side ^ 1] == image);
                }
            }
}

static void distinct_neighbours_have_no_repetition(void)
{
    int distinct[SIDES];
    expect(halo_distinct((int[]){2, 2, 0, 0}, distinct) == 1 && distinct[0] == 2);
    expect(halo_distinct((int[]){0, 0, 0, 0}, distinct) == 0);
    expect(halo_distinct((int[]){3, 3, 2, 2}, distinct) == 2 && distinct[1] == 2);
    expect(halo_distinct((int[]){0, 0, 5, 7}, distinct) == 2 && distinct[0] == 5);
    expect(halo_distinct((int[]){4, 3, 2, 1}, distinct) == 4 && distinct[3] == 1);
}

/* The exchange of all images, done plainly. */
static void exchange(double **cells, enum halo_layout layout, int images, size_t edge)
{
    for (int image = 1; image <= images; image++) {
        struct halo_place place = halo_place(layout, image, images);
        double *mine = cells[image - 1];
        for (size_t k = 1; k <= edge; k++) {
            const struct {
                int from;
                size_t to_i, to_j, from_i, from_j;
            } copies[] = {
                {place.neighbour[WEST], k, 0, k, edge},
                {place.neighbour[EAST], k, edge + 1, k, 1},
                {place.neighbour[NORTH], 0, k, edge, k},
                {place.neighbour[SOUTH], edge + 1, k, 1, k},
            };
            for (size_t i = 0; i < SIDES; i++)
                if (copies[i].from)
                    mine[halo_index(edge, copies[i].to_i, copies[i].to_j)] =
                        cells[copies[i].from - 1]
                             [halo_index(edge, copies[i].from_i, copies[i].from_j)];
        }
    }
}

static void check_layout(enum halo_layout layout, int images, size_t edge)
{
    double *cells[12];
    for (int i = 0; i < images; i++) {
        struct halo_place place = halo_place(layout, i + 1, images);
        cells[i] = calloc((edge + 2) * (edge + 2), sizeof(double));
        halo_fill(cells[i], edge, &place, 3);
        long halos = 0;
        for (int side = 0; side < SIDES; side++)
            halos += place.neighbour[side] != 0;
        expect(halo_wrong(cells[i], edge, &place, 3) == halos * (long)edge);
    }
    exchange(cells, layout, images, edge);
    for (int i = 0; i < images; i++) {
        struct halo_place place = halo_place(layout, i + 1, images);
        expect(halo_wrong(cells[i], edge, &place, 3) == 0);
        /* Each cell of the border counts. */
        for (size_t k = 0; k <= edge + 1; k++) {
            const size_t border[] = {halo_index(edge, k, 0), halo_index(edge, k, edge + 1),
                                     halo_index(edge, 0, k), halo_index(edge, edge + 1, k)};
            for (size_t side = 0; side < SIDES; side++) {
                double right = cells[i][border[side]];
                cells[i][border[side]] = right + 1;
                expect(halo_wrong(cells[i], edge, &place, 3) == 1);
                cells[i][border[side]] = right;
            }
        }
        free(cells[i]);
    }
}

static void a_right_exchange_passes_and_each_wrong_cell_is_seen(void)
{
    for (int images = 1; images <= 12; images++)
        for (size_t edge = 1; edge <= 5; edge += 2) {
            check_layout(HALO_ROWS, images, edge);
            check_layout(HALO_GRID, images, edge);
        }
}

int main(void)
{
    run_test(pattern_lies_where_the_picture_says);
    run_test(pattern_sees_each_wrong_double);
    run_test(pattern_sees_a_transfer_to_the_wrong_place);
    run_test(pattern_sees_values_of_another_seed);
    run_test(neighbours_of_rows_are_west_and_east);
    run_test(a_grid_is_as_square_as_can_be);
    run_test(neighbours_are_mutual);
    run_test(distinct_neighbours_have_no_repetition);
    run_test(a_right_exchange_passes_and_each_wrong_cell_is_seen);
    return end_tests();
}
