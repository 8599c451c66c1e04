/* C = A B for n x n floats, row by row: tiles in shared memory, several results per thread. All
 * that is in matmul.space is a macro here. */

#define rows    (block_y * work_y) /* of the tile of C that a block computes */
#define columns (block_x * work_x)
#define threads (block_x * block_y)

#if vector == 4
typedef float4 loaded;
#elif vector == 2
typedef float2 loaded;
#else
typedef float loaded;
#endif

/* Element (row, k) of a tile of A in shared memory. */
#if transposed
#define A_WIDTH   (rows + pad)
#define A_HEIGHT  depth
#define A(row, k) tile_a[buffer][(k)][(row)]
#else
#define A_WIDTH   (depth + pad)
#define A_HEIGHT  rows
#define A(row, k) tile_a[buffer][(row)][(k)]
#endif
#define B(k, column) tile_b[buffer][(k)][(column)]

/* The place in the tile of a thread's result number i: beside one another or a block apart. */
#define ROW(i)    (strided ? threadIdx.y + (i)*block_y : threadIdx.y * work_y + (i))
#define COLUMN(i) (strided ? threadIdx.x + (i)*block_x : threadIdx.x * work_x + (i))

extern "C" __global__ void __launch_bounds__(threads, blocks_min)
    matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c)
{
    __shared__ float tile_a[buffers][A_HEIGHT][A_WIDTH];
    __shared__ float tile_b[buffers][depth][columns + pad];
    constexpr int unrolled = unroll_k; /* host preprocessors expand no macros in pragmas */
    const int thread = threadIdx.y * block_x + threadIdx.x;
    const int first_row = blockIdx.y * rows, first_column = blockIdx.x * columns;
    float sum[work_y][work_x];

    for (int y = 0; y < work_y; y++)
        for (int x = 0; x < work_x; x++)
            sum[y][x] = 0.0f;

    for (int step = 0; step <= n / depth; step++) {
        /* Loads a tile while the one before is used, where there are two buffers. */
        if (step < n / depth) {
            const int buffer = step % buffers, k0 = step * depth;
            if (buffers == 1)
                __syncthreads();
            for (int i = thread; i < rows * depth / vector; i += threads) {
                const int row = i / (depth / vector), k = i % (depth / vector) * vector;
                const loaded value = *(const loaded *)&a[(first_row + row) * n + k0 + k];
                for (int v = 0; v < vector; v++)
                    A(row, k + v) = ((const float *)&value)[v];
            }
            for (int i = thread; i < depth * columns / vector; i += threads) {
                const int k = i / (columns / vector), column = i % (columns / vector) * vector;
                const loaded value = *(const loaded *)&b[(k0 + k) * n + first_column + column];
                for (int v = 0; v < vector; v++)
                    B(k, column + v) = ((const float *)&value)[v];
            }
            if (buffers == 1)
                __syncthreads();
        }
        if (step >= buffers - 1 && step - (buffers - 1) < n / depth) {
            const int buffer = (step - (buffers - 1)) % buffers;
#pragma unroll unrolled
            for (int k = 0; k < depth; k++) {
                float left[work_y], right[work_x];
                for (int y = 0; y < work_y; y++)
                    left[y] = A(ROW(y), k);
                for (int x = 0; x < work_x; x++)
                    right[x] = B(k, COLUMN(x));
                for (int y = 0; y < work_y; y++)
                    for (int x = 0; x < work_x; x++)
                        sum[y][x] += left[y] * right[x];
            }
        }
        if (buffers > 1)
            __syncthreads();
    }
    for (int y = 0; y < work_y; y++)
        for (int x = 0; x < work_x; x++)
            c[(first_row + ROW(y)) * n + first_column + COLUMN(x)] = sum[y][x];
}
