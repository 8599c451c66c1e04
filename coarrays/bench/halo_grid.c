#include "halo_grid.h"

#include "common/random.h"

static const double empty = 2; /* values are in [0, 1) */

/* ---- places ---- */

/* The divisor of images from its square root on. */
static int rows_of(enum halo_layout layout, int images)
{
    int rows = 1;
    if (layout == HALO_ROWS)
        return rows;
    while (rows * rows < images || images % rows != 0)
        rows++;
    return rows;
}

struct halo_place halo_place(enum halo_layout layout, int image, int images)
{
    struct halo_place place = {.image = image};
    int rows = rows_of(layout, images), columns = images / rows;
    int row = (image - 1) % rows, column = (image - 1) / rows;
    if (columns > 1) {
        place.neighbour[WEST] = 1 + row + rows * ((column + columns - 1) % columns);
        place.neighbour[EAST] = 1 + row + rows * ((column + 1) % columns);
    }
    if (rows > 1) {
        place.neighbour[NORTH] = 1 + (row + rows - 1) % rows + rows * column;
        place.neighbour[SOUTH] = 1 + (row + 1) % rows + rows * column;
    }
    return place;
}

int halo_distinct(const int neighbour[SIDES], int distinct[SIDES])
{
    int count = 0;
    for (int side = 0; side < SIDES; side++) {
        int i = 0;
        while (i < count && distinct[i] != neighbour[side])
            i++;
        distinct[i] = neighbour[side];
        count += i == count && neighbour[side] != 0;
    }
    return count;
}

/* ---- values ---- */

/* That of the k-th cell along the image's outermost cells of a side. A cell at a corner lies on
 * two sides and belongs to west or east. */
static double value(uint64_t seed, int image, size_t edge, enum halo_side side, size_t k)
{
    size_t i = side == NORTH ? 1 : side == SOUTH ? edge : k;
    size_t j = side == WEST ? 1 : side == EAST ? edge : k;
    return random_uniform(seed + (uint64_t)image, halo_index(edge, i, j));
}

/* The k-th outermost cell of a side, and the k-th of its halo. */
static size_t cell(size_t edge, enum halo_side side, size_t k)
{
    const size_t index[SIDES] = {halo_index(edge, k, 1), halo_index(edge, k, edge),
                                 halo_index(edge, 1, k), halo_index(edge, edge, k)};
    return index[side];
}

static size_t halo_cell(size_t edge, enum halo_side side, size_t k)
{
    const size_t index[SIDES] = {halo_index(edge, k, 0), halo_index(edge, k, edge + 1),
                                 halo_index(edge, 0, k), halo_index(edge, edge + 1, k)};
    return index[side];
}

static const enum halo_side opposite[SIDES] = {EAST, WEST, SOUTH, NORTH};

void halo_fill(double *memory, size_t edge, const struct halo_place *place, uint64_t seed)
{
    for (enum halo_side side = WEST; side < SIDES; side++) {
        for (size_t k = 1; k <= edge; k++)
            memory[cell(edge, side, k)] = value(seed, place->image, edge, side, k);
        /* The halo's own corners included. */
        for (size_t k = 0; k <= edge + 1; k++)
            memory[halo_cell(edge, side, k)] = empty;
    }
}

long halo_wrong(const double *memory, size_t edge, const struct halo_place *place, uint64_t seed)
{
    long wrong = 0;
    for (enum halo_side side = WEST; side < SIDES; side++) {
        int neighbour = place->neighbour[side];
        for (size_t k = 1; k <= edge; k++) {
            double expected = neighbour ? value(seed, neighbour, edge, opposite[side], k) : empty;
            wrong += memory[halo_cell(edge, side, k)] != expected;
            wrong += memory[cell(edge, side, k)] != value(seed, place->image, edge, side, k);
        }
    }
    for (size_t corner = 0; corner < 4; corner++)
        wrong +=
            memory[halo_index(edge, corner % 2 * (edge + 1), corner / 2 * (edge + 1))] != empty;
    return wrong;
}
