/* C = A * B for n x n matrices by tiles in shared memory. */

enum { TILE = 16 };

/* Blocks of TILE x TILE threads; n is a multiple of TILE. */
extern "C" __global__ void mat_mul_tiled(float *C, const float *A, const float *B, int N)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int column = blockIdx.x * TILE + tx;
    int row = blockIdx.y * TILE + ty;
    float sum = 0;
    for (int k = 0; k < N; k += TILE) {
        a[ty][tx] = A[row * N + k + tx];
        b[ty][tx] = B[(k + ty) * N + column];
        __syncthreads();
        for (int m = 0; m < TILE; m++)
            sum += a[ty][m] * b[m][tx];
        __syncthreads();
    }
    C[row * N + column] = sum;
}
