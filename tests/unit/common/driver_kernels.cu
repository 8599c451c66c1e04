/* driver_kernels.cu: the module of the tests soft_driver_*_test.c. */

struct pair {
    char first;
    double second;
};

__device__ int counter = 7;
__constant__ float factors[3];

/* Parameters of several sizes, which have to be unpacked at the right places. */
extern "C" __global__ void mix(char a, double b, short c, struct pair d, double *out)
{
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d.first;
    out[4] = d.second;
}

/* Each thread notes where it is: block, grid, thread. */
extern "C" __global__ void where(int *out, unsigned width)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * width + x] =
        (int)(blockIdx.x + 100 * blockIdx.y + 10000 * gridDim.x + 1000000 * gridDim.y);
}

/* The same with barriers: the threads of a block change places. */
extern "C" __global__ void __launch_bounds__(256) reverse(const int *in, int *out)
{
    __shared__ int tile[256];
    tile[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] =
        tile[blockDim.x - 1 - threadIdx.x] + (int)gridDim.x;
}

extern "C" __global__ void count(void)
{
    atomicAdd(&counter, 1);
}

extern "C" __global__ void scale(float *data)
{
    data[threadIdx.x] *= factors[threadIdx.x];
}

#if 0
extern "C" __global__ void disabled(int *out)
{
    *out = 1;
}
#endif

extern "C" __global__ void stray(int *out)
{
    *out = 1;
}
