/* pinning_cache.c: page-locked blocks for asynchronous copies, each page-locked only once.
 *
 * Build: cc -std=c11 pinning_cache.c $(pkg-config --cflags --libs datamotion-pinning) -o cache
 * Run: ./cache
 * Prints: 1000 copies, 1 page-locking */
#include <datamotion/pinning.h>

#include <stdio.h>
#include <string.h>

enum { COPIES = 1000, BYTES = 64 * 1024 };

static int fail(void)
{
    fprintf(stderr, "%s\n", dm_message());
    return 1;
}

int main(void)
{
    struct pinning_cache *cache;
    struct pinning_cache_statistics statistics;
    cudaStream_t stream;
    void *on_gpu, *block;

    if (pinning_cache_create(&cache, NULL) != DM_OK)
        return fail();
    if (cudaMalloc(&on_gpu, BYTES) != cudaSuccess || cudaStreamCreate(&stream) != cudaSuccess)
        return 1;
    for (int i = 0; i < COPIES; i++) {
        if (pinning_cache_allocate(cache, BYTES, &block) != DM_OK)
            return fail();
        memset(block, i, BYTES);
        cudaMemcpyAsync(on_gpu, block, BYTES, cudaMemcpyHostToDevice, stream);
        /* Returns at once; the block is used again only when the copy is done. */
        if (pinning_cache_release_after(cache, block, stream) != DM_OK)
            return fail();
        if (i % 8 == 7)
            cudaStreamSynchronize(stream);
    }
    pinning_cache_statistics(cache, &statistics);
    printf("%d copies, %llu page-locking\n", COPIES, (unsigned long long)statistics.misses);
    cudaStreamDestroy(stream);
    cudaFree(on_gpu);
    pinning_cache_destroy(cache);
    return 0;
}
