/* Volatile memory: shared memory is the block's own, all other may be for other blocks. */
#define THREADS 64

/* Warps that add without barriers. */
extern "C" __global__ void sums(const float *in, float *out, int n)
{
    __shared__ volatile float part[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        part[threadIdx.x] += part[threadIdx.x + 32];
        part[threadIdx.x] += part[threadIdx.x + 16];
        part[threadIdx.x] += part[threadIdx.x + 8];
    }
    if (threadIdx.x == 0 && i < n)
        out[blockIdx.x] = part[0];
}

__device__ void add_warp(volatile float *part)
{
    for (int distance = 32; distance > 0; distance /= 2)
        part[threadIdx.x] += part[threadIdx.x + distance];
}

/* By a pointer that is volatile, to memory that is not. */
extern "C" __global__ void pointer(const float *in, float *out, int n)
{
    __shared__ float part[2 * THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    part[threadIdx.x + THREADS] = 0;
    __syncthreads();
    if (threadIdx.x < 32)
        add_warp(part);
    if (threadIdx.x == 0 && i < n)
        out[blockIdx.x] = part[0];
}

/* Where is written depends on what another thread stored. */
extern "C" __global__ void refused_index(const float *in, float *out, int n)
{
    __shared__ volatile int place[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    place[threadIdx.x] = i < n ? (int)in[i] : 0;
    if (i < n)
        out[place[threadIdx.x ^ 1]] = 1;
}

/* A flag in global memory. */
extern "C" __global__ void refused_flag(const float *in, float *out, int n)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        out[i] = *(const volatile float *)in + i;
}
