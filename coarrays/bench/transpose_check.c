#include "transpose_check.h"

#include <stddef.h>

#include "common/harness/ranks.h"

static double value_at(const int size[3], int x, int y, int z)
{
    return x + (double)size[0] * (y + (double)size[1] * z);
}

void transpose_fill(const int size[3], double *a)
{
    int slab = size[2] / ranks.count, first = ranks.rank * slab;
    for (int z = first; z < first + slab; z++)
        for (int y = 0; y < size[1]; y++)
            for (int x = 0; x < size[0]; x++)
                *a++ = value_at(size, x, y, z);
}

long transpose_count_wrong(const int size[3], const double *b)
{
    int slab = size[1] / ranks.count, first = ranks.rank * slab;
    long wrong = 0;
    for (int y = first; y < first + slab; y++)
        for (int z = 0; z < size[2]; z++)
            for (int x = 0; x < size[0]; x++)
                wrong += *b++ != value_at(size, x, y, z);
    return wrong;
}
