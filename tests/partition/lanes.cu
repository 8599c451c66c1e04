// Threads of a warp by their number: tid & 31, tid % 32, tid / 4 % 8, and places that are put
// together of bits.

extern "C" __global__ void lane(const int *in, int *out)
{
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    out[(blockIdx.x * 4 + warp) * 64 + lane] = in[lane];
}

extern "C" __global__ void quarter(const int *in, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = lane / 4;
    if (lane % 4 == 0)
        out[blockIdx.x * 32 + warp * 8 + row] = in[row];
}

// With a sign, as n may be negative.
extern "C" __global__ void with_sign(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i + i % 8 - i % 4] = in[i / 3 * 3];
}

// Two bits are exchanged, so that no two threads write the same element.
extern "C" __global__ void exchanged_bits(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[(i & 0x3ffffffc) | (i & 1) << 1 | (i >> 1 & 1)] = in[i & 12];
}

// Loops that only prepare shared memory, as many as data says.
extern "C" __global__ void prepared(const int *in, const int *lengths, int *out, int n)
{
    __shared__ int tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    for (int k = lane; k < lengths[blockIdx.x]; k += 32) {
        int sum = in[k] & 63;
        while (sum < tile[sum]) {
            tile[(sum + k) & 255] = sum;
            sum += 1 + (in[sum] & 3);
            __syncthreads();
        }
        atomicAdd(&tile[sum & 255], 1);
    }
    __syncthreads();
    if (i < n)
        out[i - lane + (31 - lane)] = tile[lane];
}

// What shared memory decides is not known.
extern "C" __global__ void refused_place(const int *in, int *out, int n)
{
    __shared__ int tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    out[tile[threadIdx.x ^ 1]] = i;
}

// A launch of one block along z.
extern "C" __global__ void levels(const int *in, int *out, int n, int m)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z;
    for (int k = x; k < n; k += gridDim.x * blockDim.x)
        out[z * n * m + k] = in[k];
}
