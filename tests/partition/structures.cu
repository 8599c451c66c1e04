/* structures [N STEPS]: kernels that are passed structures which hold pointers. */
#include "partition/programs/program.h"

struct grid {
    int width;
    float *data;
    int height;
};

struct step {
    float factor;
    struct grid from, to;
};

__global__ void smooth(struct step s)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= s.to.width || y >= s.to.height)
        return;
    int at = y * s.from.width + x, above = y > 0 ? at - s.from.width : at;
    s.to.data[y * s.to.width + x] = s.factor * (s.from.data[at] + s.from.data[above]);
}

/* The structure's own address is a number of the kernel's; what is written lies inside a buffer. */
__global__ void add_row(struct grid g, const float *row, int y)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < g.width)
        g.data[x] += row[y * g.width + x];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), steps = argument(argc, argv, 2, 3), count = n * n;
    float *values = random_floats(count, 9);
    struct grid a = {n, floats_on_device(count, values), n};
    struct grid b = {n, floats_on_device(count, values), n};
    begin();
    for (int step = 0; step < steps; step++) {
        struct grid last = {n, b.data + (n - 1) * n, 1};
        smooth<<<dim3((n + 7) / 8, (n + 7) / 8), dim3(8, 8)>>>({0.4f + 0.01f * step, a, b});
        add_row<<<(n + 7) / 8, 8>>>(last, a.data, step % n);
        struct grid other = a;
        a = b;
        b = other;
    }
    finish("structures", a.data, count * sizeof *values);
    free(values);
    return 0;
}
