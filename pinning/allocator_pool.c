/* allocator_pool.c: CUDA's own pool of page-locked host memory, as a peer. */
#include "allocator.h"

#include <string.h>

#if !defined(SOFTGPU) && CUDART_VERSION >= 12060

#include <stdlib.h>

static void *pool_allocate(void *state, size_t bytes)
{
    void *pointer = NULL;
    return cudaMallocFromPoolAsync(&pointer, bytes, state, 0) == cudaSuccess ? pointer : NULL;
}

static void pool_release(void *state, void *pointer)
{
    (void)state;
    check_cuda(cudaFreeAsync(pointer, 0));
}

/* Keeps all memory, as the block caches do. The stream is idle, so a block can be used at once. */
bool allocator_pool_open(struct allocator *allocator, const char **reason)
{
    struct cudaMemPoolProps properties;
    memset(&properties, 0, sizeof properties);
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeHost;
    cudaMemPool_t pool;
    cudaError_t error = cudaMemPoolCreate(&pool, &properties);
    if (error != cudaSuccess) {
        cudaGetLastError();
        *reason = cudaGetErrorString(error);
        return false;
    }
    unsigned long long all = ~0ull;
    check_cuda(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    *allocator = (struct allocator){pool, pool_allocate, pool_release};
    return true;
}

void allocator_pool_close(struct allocator *allocator)
{
    check_cuda(cudaDeviceSynchronize());
    check_cuda(cudaMemPoolDestroy(allocator->state));
}

#else

bool allocator_pool_open(struct allocator *allocator, const char **reason)
{
    (void)allocator;
    *reason = "pools of host memory need CUDA 12.6 or later and a GPU";
    return false;
}

void allocator_pool_close(struct allocator *allocator)
{
    (void)allocator;
}

#endif
