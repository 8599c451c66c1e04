/* C = A * B for n x n matrices, one thread for each element of C. */

/* As the thesis prints it: the first index is the row, so that neighbouring threads of a block are
 * in different rows. n is a multiple of the block. */
extern "C" __global__ void mat_mul(float *C, const float *A, const float *B, int N)
{
    int tx = blockIdx.x * blockDim.x + threadIdx.x;
    int ty = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int m = 0; m < N; m++)
        sum += A[tx * N + m] * B[m * N + ty];
    C[tx * N + ty] = sum;
}

/* The second index is the row: neighbouring threads use neighbouring elements. */
extern "C" __global__ void mat_mul_rows(float *C, const float *A, const float *B, int N)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= N || row >= N)
        return;
    float sum = 0;
    for (int m = 0; m < N; m++)
        sum += A[row * N + m] * B[m * N + column];
    C[row * N + column] = sum;
}
