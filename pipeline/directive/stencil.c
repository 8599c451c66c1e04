/* stencil.c: heat spreads in SIZE / 4 planes of SIZE x SIZE points (Cui, fig. 3.2): each point becomes
 * what its six neighbours and it itself say. A plain loop; with pipelinecc it runs on the GPU, one
 * plane after the other on its way there and back.
 *
 * Run: stencil [SIZE [CHUNK [ROUNDS]]] */
#include "values.h"

#define INDEX(nx, ny, x, y, z) ((x) + (nx) * ((y) + (ny) * (z)))

/* One step: from `old` to `new`. */
static void step(const float *old, float *new, int nx, int ny, int nz, int chunk)
{
    const float c0 = 1.0f / 6.0f, c1 = 1.0f / 6.0f;
    int x, y, z;
#pragma omp target teams distribute iterator(z = 1:nz - 1) \
    map(pipeline(z, chunk, 3), to: old[z - 1:3][0:ny][0:nx]) \
    map(pipeline(z, chunk, 3), from: new[z:1][0:ny][0:nx])
    for (z = 1; z < nz - 1; z++) {
#pragma omp target teams distribute parallel for collapse(2)
        for (y = 0; y < ny; y++) {
            for (x = 0; x < nx; x++) {
                const int border = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
                new[INDEX(nx, ny, x, y, z)] =
                    border ? old[INDEX(nx, ny, x, y, z)]
                           : (old[INDEX(nx, ny, x, y, z + 1)] + old[INDEX(nx, ny, x, y, z - 1)] +
                              old[INDEX(nx, ny, x, y + 1, z)] + old[INDEX(nx, ny, x, y - 1, z)] +
                              old[INDEX(nx, ny, x + 1, y, z)] + old[INDEX(nx, ny, x - 1, y, z)]) *
                                     c1 -
                                 old[INDEX(nx, ny, x, y, z)] * c0;
            }
        }
    }
}

int main(int count, char **words)
{
    const struct values_options options = values_options(count, words, 64, 1);
    const int n = options.size, planes = n / 4 < 3 ? 3 : n / 4;
    const size_t points = (size_t)n * n * planes;
    float *from = values_make(points, 0, 0), *to = values_make(points, 0, 0);
    for (int round = 0; round < options.times; round++) {
        step(from, to, n, n, planes, options.chunk);
        float *other = from;
        from = to, to = other;
    }
    values_print("stencil", from, points);
    free(from);
    free(to);
    return 0;
}
