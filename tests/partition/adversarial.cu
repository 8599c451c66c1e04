/* Kernels that test the analysis: affine_* can be split, reads_whole_* too if every part is assumed
 * to read a whole array, may_write_* if what they may write is read as well, refused_* must run on
 * one device. */

#define X            ((int)(blockIdx.x * blockDim.x + threadIdx.x))
#define Y            ((int)(blockIdx.y * blockDim.y + threadIdx.y))
#define KERNEL(name) extern "C" __global__ void name(const float *in, float *out, int N)

__device__ float element(const float *array, int i)
{
    return array[i];
}

KERNEL(affine_row_pointers)
{
    int x = X, y = Y;
    if (x < N && y < N) {
        const float *from = in + y * N;
        float *to = out + y * N;
        to[x] = from[x];
    }
}

KERNEL(affine_device_function)
{
    int x = X, y = Y;
    if (x < N && y < N)
        out[y * N + x] = element(in, y * N + x);
}

KERNEL(affine_transpose)
{
    int x = X, y = Y;
    if (x < N && y < N)
        out[x * N + y] = in[y * N + x];
}

KERNEL(affine_every_second)
{
    int x = X;
    if (x < N && x % 2 == 0)
        out[x] = in[x];
}

KERNEL(affine_stride)
{
    int x = X;
    if (2 * x + 1 < N)
        out[2 * x] = in[2 * x + 1];
}

KERNEL(affine_half_index)
{
    int x = X;
    if (x < N)
        out[x] = in[x / 2];
}

KERNEL(affine_carried_index)
{
    int x = X, at = x;
    if (x < N) {
        float sum = 0;
        for (int i = 0; i < N; i++, at += N)
            sum += in[at];
        out[x] = sum;
    }
}

KERNEL(affine_triangle)
{
    int x = X;
    if (x < N) {
        float sum = 0;
        for (int i = 0; i <= x; i++)
            sum += in[x * N + i];
        out[x] = sum;
    }
}

KERNEL(affine_downwards)
{
    int x = X;
    if (x < N) {
        float sum = 0;
        for (int i = N - 1; i >= 0; i--)
            sum += in[i];
        out[x] = sum;
    }
}

KERNEL(affine_while)
{
    int x = X, i = 0;
    if (x < N) {
        float sum = 0;
        while (i < 4) {
            sum += in[x + i * N];
            i++;
        }
        out[x] = sum;
    }
}

KERNEL(affine_row_of_writes)
{
    int x = X;
    if (x < N)
        for (int i = 0; i < N; i++)
            out[x * N + i] = in[i];
}

KERNEL(affine_local_array)
{
    int x = X;
    if (x < N - 2) {
        float window[3];
        for (int i = 0; i < 3; i++)
            window[i] = in[x + i];
        out[x] = window[0] + window[1] + window[2];
    }
}

KERNEL(affine_unsigned_index)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < (unsigned)N)
        out[x] = in[x];
}

KERNEL(affine_unsigned_guard)
{
    if (blockIdx.x * blockDim.x + threadIdx.x < N)
        out[X] = in[X];
}

KERNEL(affine_one_thread_of_a_block)
{
    if (threadIdx.x == 0)
        out[blockIdx.x] = in[blockIdx.x * blockDim.x];
}

KERNEL(affine_one_thread_of_all)
{
    if (threadIdx.x == 0 && threadIdx.y == 0 && blockIdx.x == 1)
        out[blockIdx.y] = in[N];
}

KERNEL(affine_mirrored)
{
    int x = X;
    out[x] = in[gridDim.x * blockDim.x - 1 - x];
}

KERNEL(affine_early_returns)
{
    int x = X, y = Y;
    if (x >= N)
        return;
    if (y >= N || y == 3)
        return;
    out[y * N + x] = in[x * N + y];
}

KERNEL(affine_shared_index)
{
    __shared__ float values[64];
    values[threadIdx.x] = in[X];
    __syncthreads();
    out[X] = values[blockDim.x - 1 - threadIdx.x];
}

/* Reads that only lead to shared memory, as values, as indices, and as a flag set in a branch. */
KERNEL(affine_reads_for_shared)
{
    __shared__ float values[64];
    __shared__ int flag;
    int x = X;
    flag = 0;
    values[threadIdx.x] = in[x];
    values[(int)(in[x + N] * 0.5f) & 63] = 1;
    for (int i = 0; i < N; i++)
        if (in[2 * N + i] > 0.5f)
            flag = 1;
    __syncthreads();
    out[x] = flag + values[N & 63];
}

KERNEL(affine_wide_product)
{
    long long all = (long long)N * N;
    if (X < all)
        out[X] = in[X];
}

KERNEL(affine_wide_sum)
{
    long long all = (long long)(N + 1) * N;
    if (X < all)
        out[X] = in[X];
}

/* With 65537 for N it is 131073 in CUDA. */
KERNEL(affine_wrapping_product)
{
    unsigned all = (unsigned)N * (unsigned)N;
    if (X < all)
        out[X] = in[X];
}

/* Unsigned arithmetic that wraps, with many threads or from a block on: products, sums, shifts in
 * guards and indices, seen as signed, unsigned or wider numbers. */
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

KERNEL(affine_wrapping_guard)
{
    if (blockIdx.x * blockDim.x * 1048576 < N)
        out[X] = in[X];
}

KERNEL(affine_wrapping_unsigned_guard)
{
    if (blockIdx.x * blockDim.x * 1048576u < N)
        out[X] = in[X];
}

KERNEL(affine_wrapping_sum)
{
    if (THREAD * 1048576 + 2000000000 < 2000000000 + N)
        out[X] = in[X];
}

KERNEL(affine_wrapping_shift)
{
    if (THREAD << 20 < N)
        out[X] = in[X];
}

KERNEL(affine_wrapping_as_signed)
{
    int scaled = THREAD * 1048576;
    if (scaled < N)
        out[X] = in[X];
}

KERNEL(affine_wrapping_widened)
{
    if ((long long)(THREAD * 1048576) < N)
        out[X] = in[X];
}

KERNEL(affine_wrapping_divided)
{
    if (THREAD * 1048576 / 1024 < N)
        out[X] = in[X];
}

KERNEL(affine_wrapping_equal)
{
    if (THREAD * 1048576 == 0)
        out[X] = in[X];
}

KERNEL(affine_wrapping_index)
{
    out[X] = in[THREAD * 1048576 + N - THREAD * 1048576];
}

KERNEL(affine_wrapping_cast)
{
    if ((int)(N * 1048576u) < THREAD)
        out[X] = in[X];
}

KERNEL(refused_shifted_to_and_fro)
{
    out[X] = in[(THREAD << 30) >> 28];
}

KERNEL(affine_switch)
{
    int x = X;
    if (x >= N)
        return;
    switch (x % 2) {
    case 0:
        out[x] = in[x];
        break;
    default:
        out[x] = in[N - 1 - x];
    }
}

/* Periodic neighbours may be taken for the whole array. */
KERNEL(affine_clamped)
{
    int x = X;
    if (x < N) {
        int left = x - 1, right = x + 1;
        if (left < 0)
            left = 0;
        if (right > N - 1)
            right = N - 1;
        out[x] = in[left] + in[right];
    }
}

KERNEL(reads_whole_periodic)
{
    int x = X;
    if (x < N) {
        int left = x > 0 ? x - 1 : N - 1;
        out[x] = in[left];
    }
}

KERNEL(reads_whole_selected)
{
    int x = X;
    if (x < N)
        out[x] = in[x] > 0 ? in[x + N] : 0.0f;
}

KERNEL(reads_whole_gathered)
{
    int x = X;
    if (x < N)
        out[x] = in[(int)in[x] & 15];
}

KERNEL(may_write_return)
{
    int x = X;
    if (x < N) {
        if (in[x] < 0.5f)
            return;
        out[x] = 1;
    }
}

KERNEL(may_write_shared_condition)
{
    __shared__ float values[64];
    values[threadIdx.x] = in[X];
    __syncthreads();
    if (values[0] > 0)
        out[X] = 1;
}

KERNEL(may_write_shared_comparison)
{
    __shared__ float values[64];
    values[threadIdx.x] = in[X];
    __syncthreads();
    if (values[0] == values[1])
        out[X] = 1;
}

KERNEL(refused_shared_index)
{
    __shared__ int values[64];
    values[threadIdx.x] = (int)in[X];
    __syncthreads();
    out[values[threadIdx.x]] = 1;
}

/* The number of elements read is known only from data. */
KERNEL(reads_whole_search_for_shared)
{
    __shared__ int found;
    int i = 0;
    while (i < N && in[i] > 0)
        i++;
    found = i;
    __syncthreads();
    out[X] = found;
}

KERNEL(refused_product_index)
{
    int x = X;
    if (x * x < N)
        out[x * x] = in[x];
}

KERNEL(refused_exclusive_or)
{
    int x = X;
    if (x < N)
        out[x ^ 1] = in[x];
}

KERNEL(refused_loop_to_data)
{
    int x = X;
    if (x < N) {
        int count = (int)in[x];
        for (int i = 0; i < count; i++)
            out[x + i] = 1;
    }
}

KERNEL(refused_break)
{
    if (X == 0)
        for (int i = 0; i < N; i++) {
            if (in[i] > 0.7f)
                break;
            out[i] = 1;
        }
}

KERNEL(refused_chosen_pointer)
{
    int x = X;
    float *to = in[x] > 0 ? out : out + N;
    to[x] = 1;
}

KERNEL(refused_atomic)
{
    if (X < N)
        out[X] = atomicAdd((int *)out + X, 1);
}

__device__ int depth(int n)
{
    return n > 0 ? depth(n - 1) + 1 : 0;
}

KERNEL(refused_recursion)
{
    out[X] = depth(N);
}

KERNEL(refused_volatile)
{
    *(volatile float *)(out + X) = in[X];
}

/* In CUDA 0 - 1 is a large number here. */
KERNEL(refused_unsigned_difference)
{
    if (threadIdx.x - 1 < 5)
        out[X] = 1;
}

KERNEL(refused_unsigned_comparison)
{
    if (blockIdx.x * blockDim.x + threadIdx.x > -1)
        out[X] = 1;
}

KERNEL(refused_grid_stride)
{
    for (int x = X; x < N; x += gridDim.x * blockDim.x)
        out[x] = in[x];
}

extern "C" __global__ void refused_name(float *out, int gx)
{
    if (X < gx)
        out[X] = gx;
}
