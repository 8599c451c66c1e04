/* summa_layout.c: which image has what. */
#include "summa.h"

struct summa_layout summa_layout(int order, int block, int images, int image)
{
    int rows = 1;
    for (int divisor = 1; divisor * divisor <= images; divisor++)
        if (images % divisor == 0)
            rows = divisor;
    int columns = images / rows;
    return (struct summa_layout){.order = order,
                                 .block = block,
                                 .grid = {rows, columns},
                                 .place = {(image - 1) / columns, (image - 1) % columns}};
}

int summa_begin(int order, int parts, int i)
{
    return (int)((long)order * i / parts);
}

int summa_first(const struct summa_layout *layout, int dimension)
{
    return summa_begin(layout->order, layout->grid[dimension], layout->place[dimension]);
}

int summa_count(const struct summa_layout *layout, int dimension)
{
    return summa_begin(layout->order, layout->grid[dimension], layout->place[dimension] + 1) -
           summa_first(layout, dimension);
}

/* The block of `parts` that has index k. */
static int owner_of(int order, int parts, int k)
{
    int i = 0;
    while (i + 1 < parts && summa_begin(order, parts, i + 1) <= k)
        i++;
    return i;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

struct summa_panel summa_panel(const struct summa_layout *layout, int begin)
{
    int order = layout->order, rows = layout->grid[SUMMA_ROW], columns = layout->grid[SUMMA_COLUMN];
    struct summa_panel panel = {.begin = begin,
                                .a_owner = owner_of(order, columns, begin),
                                .b_owner = owner_of(order, rows, begin)};
    panel.end = smaller(summa_begin(order, columns, panel.a_owner + 1),
                        summa_begin(order, rows, panel.b_owner + 1));
    if (panel.end - begin > layout->block)
        panel.end = begin + layout->block;
    return panel;
}
