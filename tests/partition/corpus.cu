/* Kernels as programs have them: affine_* are described exactly, reads_whole_* read arrays of which
 * every element counts as read, may_write_* read what they may write, refused_* run on one device.
 * partition_analysis.bats checks all that are not refused against traced runs. */

#define TILE   16
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

/* ---- indices: products in any order, unsigned numbers, sizes of the grid ---- */

extern "C" __global__ void affine_factors_apart(const float *in, float *out, int n)
{
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    out[n * TILE * by + TILE * bx + n * ty + tx] = in[n * TILE * by + TILE * bx + n * ty + tx];
}

extern "C" __global__ void affine_factored(const float *in, float *out, int n)
{
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    out[(by * TILE + ty) * n + bx * TILE + tx] = in[(by * TILE + ty) * n + bx * TILE + tx];
}

extern "C" __global__ void reads_whole_tiles(float *C, const float *A, const float *B, int wA,
                                             int wB)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int first = wA * TILE * by, last = first + wA - 1;
    float sum = 0;
    for (int a = first, b = TILE * bx; a <= last; a += TILE, b += TILE * wB) {
        As[ty][tx] = A[a + wA * ty + tx];
        Bs[ty][tx] = B[b + wB * ty + tx];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[wB * TILE * by + TILE * bx + wB * ty + tx] = sum;
}

extern "C" __global__ void affine_unsigned_rows(const float *in, float *out, unsigned w, unsigned h)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[y * w + x] = in[y * w + x];
}

extern "C" __global__ void affine_unsigned_stencil(const float *in, float *out, int w, int h)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
        out[y * w + x] = in[y * w + x - 1] + in[(y - 1) * w + x];
}

extern "C" __global__ void affine_unsigned_loop(const float *in, float *out, unsigned n)
{
    unsigned y = THREAD;
    if (y < n) {
        float sum = 0;
        for (unsigned k = 0; k < n; k++)
            sum += in[y * n + k];
        out[y] = sum;
    }
}

extern "C" __global__ void affine_steps_of_grid(const float *in, float *out, int m)
{
    int i = THREAD;
    for (int j = 0; j < m; j++)
        out[j * gridDim.x * blockDim.x + i] = in[j * gridDim.x * blockDim.x + i];
}

extern "C" __global__ void may_write_rows_of_blocks(const float *in, float *out, int n)
{
    int block = blockIdx.y * gridDim.x + blockIdx.x, i = block * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

/* ---- loops whose length depends on data ---- */

extern "C" __global__ void reads_whole_sparse_rows(const int *row, const int *column,
                                                   const float *value, const float *x, float *y,
                                                   int n)
{
    int i = THREAD;
    if (i < n) {
        float sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            sum += value[k] * x[column[k] & 63];
        y[i] = sum;
    }
}

extern "C" __global__ void reads_whole_search(const float *sorted, const float *wanted,
                                              float *place, int n)
{
    int i = THREAD;
    if (i < n) {
        int low = 0, high = n;
        while (low < high) {
            int middle = (low + high) / 2;
            if (sorted[middle] < wanted[i])
                low = middle + 1;
            else
                high = middle;
        }
        place[i] = low;
    }
}

extern "C" __global__ void affine_steps_to_one(const int *in, int *out, int n)
{
    int i = THREAD;
    if (i < n) {
        int value = in[i] & 31, steps = 0;
        while (value > 1) {
            value = value & 1 ? 3 * value + 1 : value / 2;
            steps++;
        }
        out[i] = steps;
    }
}

extern "C" __global__ void may_write_level(const int *row, const int *level, int *out, int n,
                                           int now)
{
    int i = THREAD;
    if (i < n && level[i] == now) {
        int sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            sum += level[k & 63];
        out[i] = sum;
    }
}

extern "C" __global__ void affine_escape(float *out, int w, int h)
{
    int x = THREAD, k = 0;
    float a = 0, b = 0;
    while (k < 100 && a * a + b * b < 4) {
        float next = a * a - b * b + x * 0.1f;
        b = 2 * a * b + 0.1f;
        a = next;
        k++;
    }
    if (x < w)
        out[x] = k + h;
}

extern "C" __global__ void affine_halved(const float *in, float *out, int n)
{
    int i = THREAD;
    if (i < n) {
        float x = in[i];
        while (fabsf(x) > 1 && fabsf(x) < 1e30f)
            x = 0.5f * x;
        out[i] = x;
    }
}

extern "C" __global__ void reads_whole_first_larger(const float *in, float *out, int n)
{
    int i = THREAD, k;
    if (i < n) {
        for (k = 0; k < n; k++)
            if (in[k] > in[i])
                break;
        out[i] = k;
    }
}

/* ---- arrays of a thread ---- */

extern "C" __global__ void reads_whole_offsets(const float *in, float *out, int n)
{
    const float weight[4] = {1, 2, 3, 4};
    const int offset[4] = {-1, 0, 1, 0};
    int i = THREAD;
    if (i > 0 && i < n - 1) {
        float sum = 0;
        for (int k = 0; k < 4; k++)
            sum += weight[k] * in[i + offset[k]];
        out[i] = sum;
    }
}

extern "C" __global__ void affine_weights(const float *in, float *out, int n)
{
    const float weight[4] = {1, 2, 3, 4};
    int i = THREAD;
    if (i < n) {
        float sum = 0;
        for (int k = 0; k < 4; k++)
            sum += weight[k] * in[i + k];
        out[i] = sum;
    }
}

/* ---- not yet ---- */

/* Where a list leads is known only from data; what is written is not where it leads. */
extern "C" __global__ void reads_whole_list(const int *next, float *out, int n)
{
    __shared__ int longest;
    int i = THREAD, at = i, steps = 0;
    while (steps < n && next[at] > i) {
        at = next[at];
        steps++;
    }
    longest = at;
    __syncthreads();
    if (i < n)
        out[i] = longest;
}

/* What is written follows from data that a loop counts. */
extern "C" __global__ void refused_compacted(const float *in, float *out, int n)
{
    int i = THREAD, count = 0;
    if (i < n) {
        for (int k = 0; k < i; k++)
            if (in[k] > 0.5f)
                count++;
        out[count] = in[i];
    }
}

extern "C" __global__ void refused_loop_over_grid(const float *in, float *out, int n)
{
    for (unsigned i = THREAD; i < n; i += blockDim.x * gridDim.x)
        out[i] = in[i];
}

extern "C" __global__ void reduces_histogram(const int *in, unsigned *bins, int n)
{
    int i = THREAD;
    if (i < n)
        atomicAdd(&bins[in[i] & 15], 1);
}

extern "C" __global__ void refused_row_and_column(const float *in, float *out, int w, int h)
{
    int i = THREAD, x = i % w, y = i / w;
    if (i < w * h)
        out[y * w + x] = in[x * h + y];
}

/* ---- unsigned numbers that wrap ---- */

extern "C" __global__ void refused_hashed(const float *in, float *out, unsigned n)
{
    unsigned i = THREAD;
    out[i * 2654435761u % n] = in[i];
}

extern "C" __global__ void affine_down_to_wrap(float *out, unsigned n)
{
    if (THREAD == 0)
        for (unsigned i = n - 1; i < n; i--)
            out[i] = i;
}
