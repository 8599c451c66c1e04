/* numbers [N STEPS]: kernels of which more is known once the numbers of a launch are: loops with
 * the grid's stride, rows written by loops that nvcc unrolls, products of arguments as indices. */
#include "partition/programs/program.h"

__global__ void scale(const float *in, float *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] * 1.5f;
}

__global__ void average(const float *in, float *out, size_t n)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        out[i] = 0.5f * (in[i] + in[i > 0 ? i - 1 : 0]);
}

__global__ void rows(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    for (int column = 0; column < columns; column++)
        out[row * columns + column] = in[column] + in[row];
}

__global__ void places(const float *in, float *out, int width, int pitch, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i * width * pitch] += in[i];
}

struct extent {
    float factor;
    short unused;
    int width, height;
};

__global__ void window(struct extent of, const float *in, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < of.width && y < of.height)
        out[y * of.width + x] = of.factor * (in[y * of.width + x] + in[x]);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), steps = argument(argc, argv, 2, 3), count = n * n;
    float *values = random_floats(count, 9);
    float *a = floats_on_device(count, values), *b = floats_on_device(count, NULL);
    begin();
    for (int step = 0; step < steps; step++) {
        scale<<<6, 32>>>(a, b, count);
        average<<<5, 32>>>(b, a, (size_t)count);
        rows<<<(n + 15) / 16, 16>>>(a, b, n, n);
        window<<<dim3((n + 7) / 8, (n + 7) / 8), dim3(8, 8)>>>({0.7f, 0, n, n - step}, a, b);
        places<<<2, 32>>>(b, a, 5, 4, count / 20 < 64 ? count / 20 : 64);
    }
    finish("numbers", a, count * sizeof *a);
    free(values);
    return 0;
}
