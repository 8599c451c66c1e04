/* The streaming copy. */
#include "limits.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/random.h"

#include "cache.h"
#include "limits_kernels.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { LINE_BYTES = 64 };

static enum memory_kind memory_of(const struct spmv_stream_copy *copy)
{
    return copy->on_device ? MEMORY_DEVICE : MEMORY_PAGEABLE;
}

/* A product hardly writes, so a copy bounds it only if it does not read what it overwrites: stores
 * go past the caches, unless these would keep all of it. Addresses are multiples of 16. */
static void copy_bytes(char *to, const char *from, size_t bytes, bool past_cache)
{
#if defined(__SSE2__)
    if (past_cache) {
        for (size_t i = 0; i < bytes; i += sizeof(__m128i))
            _mm_stream_si128((__m128i *)(to + i), _mm_load_si128((const __m128i *)(from + i)));
        _mm_sfence();
        return;
    }
#else
    (void)past_cache;
#endif
    memcpy(to, from, bytes);
}

static void copy_on_host(char *to, const char *from, size_t bytes, bool past_cache)
{
#pragma omp parallel
    {
        size_t lines = bytes / LINE_BYTES, threads = (size_t)omp_get_num_threads();
        size_t thread = (size_t)omp_get_thread_num();
        size_t first = lines * thread / threads * LINE_BYTES;
        size_t last = lines * (thread + 1) / threads * LINE_BYTES;
        copy_bytes(to + first, from + first, last - first, past_cache);
    }
}

/* On the host by the threads that will copy, so that the memory is near them. */
void spmv_stream_copy_open(struct spmv_stream_copy *copy, bool on_device, size_t bytes,
                           size_t turns, uint64_t seed)
{
    size_t whole = (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    *copy = (struct spmv_stream_copy){
        .on_device = on_device, .bytes = whole, .turns = turns, .seed = seed};
    copy->past_cache = 2 * whole * turns > spmv_cache_bytes(false);
    void *source = allocate_or_fail(1, whole);
    for (size_t i = 0; i < turns; i++) {
        copy->from[i] = memory_allocate(memory_of(copy), whole);
        copy->to[i] = memory_allocate(memory_of(copy), whole);
        random_fill_bytes(source, whole, seed + i);
        if (on_device)
            memory_copy(copy->from[i], source, whole);
        else
            copy_on_host(copy->from[i], source, whole, false);
    }
    free(source);
}

void spmv_stream_copy_close(struct spmv_stream_copy *copy)
{
    for (size_t i = 0; i < copy->turns; i++) {
        memory_release(memory_of(copy), copy->from[i]);
        memory_release(memory_of(copy), copy->to[i]);
    }
}

void spmv_stream_copy_operate(void *copy, size_t turn, cudaStream_t stream)
{
    const struct spmv_stream_copy *c = copy;
    if (c->on_device)
        check_cuda(spmv_limit_copy_launch(c->to[turn], c->from[turn], c->bytes, stream));
    else
        copy_on_host(c->to[turn], c->from[turn], c->bytes, c->past_cache);
}

long spmv_stream_copy_verify(struct spmv_stream_copy *copy)
{
    char *result = allocate_or_fail(1, copy->bytes);
    long wrong = 0;
    for (size_t i = 0; i < copy->turns; i++) {
        memory_copy(copy->to[i], result, copy->bytes);
        spmv_stream_copy_operate(copy, i, NULL);
        memory_copy(result, copy->to[i], copy->bytes);
        wrong += (long)random_count_wrong_bytes(result, copy->bytes, copy->seed + i);
    }
    free(result);
    return wrong;
}
