/* The GPU's primitives, on a stream of their own. */
#include <stdlib.h>

#include "tensor_device.h"
#include "tensor_gemm.h"
#include "tensor_kernels.h"

static cudaError_t allocate(double **memory, size_t elements)
{
    cudaError_t error = cudaMalloc((void **)memory, elements * sizeof **memory);
    if (error) {
        *memory = NULL;
        cudaGetLastError(); /* or the next launch seems to have failed */
    }
    return error;
}

static void release(double *memory)
{
    cudaFree(memory);
}

static cudaError_t fill(struct tensor_device *device, double *target, size_t elements, double keep,
                        double value)
{
    return tensor_launch_fill(device->stream, target, elements, keep, value);
}

static cudaError_t permute(struct tensor_device *device, const struct tensor_permutation *plan,
                           double *target, double keep, double alpha, const double *source)
{
    return tensor_launch_permute(device->stream, plan, target, keep, alpha, source);
}

static cudaError_t multiply(struct tensor_device *device, const struct tensor_product *plan,
                            double *target, double keep, double alpha, const double *first,
                            const double *second)
{
    return tensor_gemm_multiply(device->gemm, plan, target, keep, alpha, first, second);
}

static cudaError_t dot(struct tensor_device *device, size_t elements, double *target, double keep,
                       double alpha, const double *a, const double *b)
{
    return tensor_launch_dot(device->stream, elements, target, keep, alpha, a, b,
                             device->partial_sums);
}

static cudaError_t wait_for(struct tensor_device *device)
{
    return cudaStreamSynchronize(device->stream);
}

static void close_gpu(struct tensor_device *device)
{
    tensor_gemm_close(device->gemm);
    cudaFree(device->partial_sums);
    cudaFreeHost(device->word);
    if (device->stream)
        cudaStreamDestroy(device->stream);
    free(device);
}

static const struct tensor_functions functions = {.allocate = allocate,
                                                  .release = release,
                                                  .fill = fill,
                                                  .permute = permute,
                                                  .multiply = multiply,
                                                  .dot = dot,
                                                  .wait = wait_for,
                                                  .close = close_gpu};

cudaError_t tensor_open_gpu(struct tensor_device **device)
{
    struct tensor_device *opened = calloc(1, sizeof *opened);
    *device = NULL;
    if (!opened)
        return cudaErrorMemoryAllocation;
    opened->functions = &functions;
    cudaError_t error = cudaStreamCreateWithFlags(&opened->stream, cudaStreamNonBlocking);
    if (!error)
        error = allocate(&opened->partial_sums, TENSOR_PARTIAL_SUMS);
    if (!error) /* mapped, as all page-locked memory where host and GPU share one address space */
        error = cudaMallocHost((void **)&opened->word, sizeof *opened->word);
    if (!error)
        error = tensor_gemm_open(&opened->gemm, opened->stream);
    if (error)
        close_gpu(opened);
    else
        *device = opened;
    return error;
}
