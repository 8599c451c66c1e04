/* cublas [N]: kernels of the program before and after a matrix product by a library. */
#include <cublas_v2.h>

#include "program.h"

__global__ void fill(float *a, int n, float factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = factor * (float)(i % 97);
}

__global__ void add_one(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + 1.0f;
}

static void check_blas(cublasStatus_t status, const char *call)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return;
    fprintf(stderr, "%s: cuBLAS error %d\n", call, (int)status);
    exit(1);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 512), count = n * n, blocks = (count + 255) / 256;
    const float one = 1.0f, zero = 0.0f;
    float *a = floats_on_device(count, NULL), *b = floats_on_device(count, NULL);
    float *c = floats_on_device(count, NULL), *d = floats_on_device(count, NULL);
    cublasHandle_t blas;
    check_blas(cublasCreate(&blas), "cublasCreate");
    begin();
    fill<<<blocks, 256>>>(a, count, 0.01f);
    fill<<<blocks, 256>>>(b, count, 0.02f);
    check_blas(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n),
               "cublasSgemm");
    add_one<<<blocks, 256>>>(c, d, count);
    finish("cublas", d, count * sizeof *d);
    check_blas(cublasDestroy(blas), "cublasDestroy");
    return 0;
}
