/* stencil.c: heat spreads in a block of 96 x 80 x 64 points (Cui, fig. 3.2): each point becomes
 * what its six neighbours and it itself say. A plain loop; with pipelinecc it runs on the GPU, one
 * plane after the other on its way there and back.
 *
 * Run: stencil [PLANES [ROUNDS]]
 * Prints the sum of all points, which is the same with and without a GPU. */
#include <stdio.h>
#include <stdlib.h>

#define INDEX(nx, ny, x, y, z) ((x) + (nx) * ((y) + (ny) * (z)))

/* One step: from `old` to `new`. */
static void step(const float *old, float *new, int nx, int ny, int nz)
{
    const float c0 = 1.0f / 6.0f, c1 = 1.0f / 6.0f;
    int x, y, z;
#pragma omp target teams distribute iterator(z = 1:nz - 1) \
    map(pipeline(z, 1, 3), to: old[z - 1:3][0:ny][0:nx]) \
    map(pipeline(z, 1, 3), from: new[z:1][0:ny][0:nx])
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
    const int nx = 64, ny = 80, nz = count > 1 ? atoi(words[1]) : 96;
    const int rounds = count > 2 ? atoi(words[2]) : 2;
    const size_t points = (size_t)nx * ny * nz;
    float *from = malloc(points * sizeof *from), *to = calloc(points, sizeof *to);
    double sum = 0;
    if (!from || !to)
        return 1;
    for (size_t i = 0; i < points; i++)
        from[i] = to[i] = (float)(i * 7 % 31);
    for (int round = 0; round < rounds; round++) {
        step(from, to, nx, ny, nz);
        float *other = from;
        from = to, to = other;
    }
    for (size_t i = 0; i < points; i++)
        sum += from[i] * (double)(1 + i % 5);
    printf("%.17g\n", sum);
    free(from);
    free(to);
    return 0;
}
