/* allocator_pool.c: CUDA's own pool of page-locked host memory, as a peer. */
#include <string.h>

#include "common/error_cuda.h"
#include "common/harness/exit.h"

#include "allocator.h"

#if !defined(SOFTGPU) && CUDART_VERSION >= 12060

#include <stdlib.h>

static void *pool_allocate(void *state, size_t bytes)
{
    void *pointer = NULL;
    check_cuda(cudaMallocFromPoolAsync(&pointer, bytes, state, 0));
    return pointer;
}

static void pool_release(void *state, void *pointer)
{
    (void)state;
    check_cuda(cudaFreeAsync(pointer, 0));
}

/* Keeps all memory, as the block caches do. The stream is idle, so a block can be used at once. */
enum dm_status allocator_pool_open(struct allocator *allocator)
{
    struct cudaMemPoolProps properties;
    memset(&properties, 0, sizeof properties);
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeHost;
    cudaMemPool_t pool;
    cudaError_t error = cudaMemPoolCreate(&pool, &properties);
    if (error != cudaSuccess)
        cudaGetLastError(); /* reported here and shall not be found later */
    TRY_CUDA(error);
    unsigned long long all = ~0ull;
    check_cuda(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    *allocator = (struct allocator){pool, pool_allocate, pool_release};
    return DM_OK;
}

void allocator_pool_close(struct allocator *allocator)
{
    check_cuda(cudaDeviceSynchronize());
    check_cuda(cudaMemPoolDestroy(allocator->state));
}

#else

enum dm_status allocator_pool_open(struct allocator *allocator)
{
    (void)allocator;
    return dm_fail(DM_UNAVAILABLE, "pools of host memory need CUDA 12.6 or later and a GPU");
}

void allocator_pool_close(struct allocator *allocator)
{
    (void)allocator;
}

#endif
