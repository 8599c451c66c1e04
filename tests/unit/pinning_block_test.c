/* Blocks with a copy per device: versions, intents, copies in flight, against a plain model. */
#include "block.h"
#include "clock.h"
#include "random.h"
#include "test.h"

#include <pthread.h>
#include <time.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct block_cache *cache;
static int gpus;

static struct block_store *make_store(enum block_policy policy, int streams)
{
    struct block_store *store = NULL;
    check_cuda(block_store_create(&store, cache, 0, gpus, streams, policy));
    return store;
}

/* Writes every number of the slot's data, wherever they are. */
static void fill(double *data, size_t elements, double value)
{
    double *host = malloc(elements * sizeof(double));
    for (size_t i = 0; i < elements; i++)
        host[i] = value + (double)i;
    check_cuda(cudaMemcpy(data, host, elements * sizeof(double), cudaMemcpyDefault));
    free(host);
}

static bool holds(const double *data, size_t elements, double value)
{
    double *host = malloc(elements * sizeof(double));
    bool good = true;
    check_cuda(cudaMemcpy(host, data, elements * sizeof(double), cudaMemcpyDefault));
    for (size_t i = 0; i < elements; i++)
        good &= host[i] == value + (double)i;
    free(host);
    return good;
}

static void a_block_never_written_is_not_copied(void)
{
    struct block_store *store = make_store(BLOCK_UNOPTIMIZED, 2);
    struct block *block = block_create(store, 100);
    double *data;
    expect(block_latest_slot(block) == -1);
    expect(block_access(block, 1, BLOCK_READ, &data) == cudaSuccess && data);
    expect(block_access(block, 0, BLOCK_READ, &data) == cudaSuccess && data);
    expect(block_latest_slot(block) == -1);
    expect(block_store_counters(store)->copies == 0);
    block_destroy(block);
    block_store_destroy(store);
}

static void data_follow_the_accesses(void)
{
    struct block_store *store = make_store(BLOCK_OPTIMIZED, 2);
    struct block *block = block_create(store, 1000);
    double *host, *gpu;
    expect(block_access(block, 0, BLOCK_WRITE, &host) == cudaSuccess);
    fill(host, 1000, 7.0);
    expect(block_latest_slot(block) == 0);
    expect(block_access(block, 1, BLOCK_READ, &gpu) == cudaSuccess && gpu != host);
    expect(holds(gpu, 1000, 7.0));
    expect(block_latest_slot(block) == 0); /* both are new; the first one counts */
    expect(block_access(block, 1, BLOCK_READ, &gpu) == cudaSuccess);
    expect(block_store_counters(store)->copies == 1);
    expect(block_access(block, 1, BLOCK_UPDATE, &gpu) == cudaSuccess);
    fill(gpu, 1000, 8.0);
    expect(block_latest_slot(block) == 1);
    expect(block_access(block, 0, BLOCK_READ, &host) == cudaSuccess);
    expect(holds(host, 1000, 8.0));
    expect(block_store_counters(store)->copies == 2);
    expect(block_store_counters(store)->copied_bytes == 2 * 1000 * sizeof(double));
    expect(block_store_counters(store)->accesses == 5);
    block_destroy(block);
    block_store_destroy(store);
}

static void an_intent_to_write_saves_the_copy(void)
{
    for (int policy = 0; policy < 2; policy++) {
        struct block_store *store =
            make_store(policy ? BLOCK_OPTIMIZED : BLOCK_UNOPTIMIZED, BLOCK_DEFAULT_STREAMS);
        struct block *block = block_create(store, 50);
        double *data;
        expect(block_access(block, 0, BLOCK_WRITE, &data) == cudaSuccess);
        fill(data, 50, 1.0);
        expect(block_access(block, 1, BLOCK_WRITE, &data) == cudaSuccess);
        fill(data, 50, 2.0);
        expect(block_latest_slot(block) == 1);
        expect(block_store_counters(store)->copies == !policy);
        expect(block_store_counters(store)->saved_copies == (uint64_t)policy);
        expect(block_access(block, 0, BLOCK_READ, &data) == cudaSuccess);
        expect(holds(data, 50, 2.0));
        block_destroy(block);
        block_store_destroy(store);
    }
}

static void random_accesses_agree_with_a_model(enum block_policy policy, int streams)
{
    enum { BLOCKS = 8, ELEMENTS = 3000, ACCESSES = 800 };
    struct block_store *store = make_store(policy, streams);
    struct block *blocks[BLOCKS] = {0};
    bool newest[BLOCKS][BLOCK_SLOTS];
    double written[BLOCKS];
    uint64_t copies = 0, saved = 0;
    for (uint64_t i = 0; i < ACCESSES; i++) {
        size_t b = random_below(4, 4 * i, BLOCKS);
        if (!blocks[b] || random_below(4, 4 * i + 1, 20) == 0) {
            block_destroy(blocks[b]);
            blocks[b] = block_create(store, ELEMENTS);
            memset(newest[b], 0, sizeof newest[b]);
            written[b] = 0.0;
        }
        int slot = (int)random_below(4, 4 * i + 2, (uint64_t)gpus + 1);
        enum block_intent intent = (enum block_intent)random_below(4, 4 * i + 3, 3);
        bool stale = written[b] != 0.0 && !newest[b][slot];
        bool skips = policy == BLOCK_OPTIMIZED && intent == BLOCK_WRITE;
        copies += stale && !skips;
        saved += stale && skips;
        double *data;
        expect(block_access(blocks[b], slot, intent, &data) == cudaSuccess);
        if (written[b] != 0.0 && !skips)
            expect(holds(data, ELEMENTS, written[b]));
        newest[b][slot] |= stale && !skips;
        if (intent != BLOCK_READ) {
            memset(newest[b], 0, sizeof newest[b]);
            newest[b][slot] = true;
            written[b] = 1.0 + (double)i;
            fill(data, ELEMENTS, written[b]);
        }
        expect(block_store_counters(store)->copies == copies);
        expect(block_store_counters(store)->saved_copies == saved);
    }
    expect(copies > 20 && (saved > 10 || policy == BLOCK_UNOPTIMIZED));
    for (int b = 0; b < BLOCKS; b++)
        block_destroy(blocks[b]);
    block_store_destroy(store);
}

static void random_accesses_unoptimized(void)
{
    random_accesses_agree_with_a_model(BLOCK_UNOPTIMIZED, 2);
}

static void random_accesses_optimized(void)
{
    random_accesses_agree_with_a_model(BLOCK_OPTIMIZED, 1);
    random_accesses_agree_with_a_model(BLOCK_OPTIMIZED, 3);
}

/* ---- copies and kernels in flight ---- */

static _Atomic bool gate_open;

static void wait_at_gate(void *unused)
{
    (void)unused;
    double start_s = clock_now_s();
    while (!gate_open && clock_now_s() - start_s < 20.0)
        sched_yield();
}

static void *open_gate_later(void *unused)
{
    (void)unused;
    struct timespec pause = {0, 50 * 1000 * 1000};
    nanosleep(&pause, NULL);
    gate_open = true;
    return NULL;
}

/* Work on a stream uses the host's data; nobody gets them for writing before it is done. */
static void a_busy_source_is_not_overwritten(void)
{
    struct block_store *store = make_store(BLOCK_OPTIMIZED, 2);
    struct block *block = block_create(store, 4096);
    double *data;
    cudaStream_t stream;
    pthread_t opener;
    check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    expect(block_access(block, 0, BLOCK_WRITE, &data) == cudaSuccess);
    fill(data, 4096, 3.0);
    gate_open = false;
    check_cuda(cudaLaunchHostFunc(stream, wait_at_gate, NULL));
    expect(block_set_busy(block, 0, stream) == cudaSuccess);
    /* The copy to the GPU is enqueued behind that work, without waiting for it here. */
    expect(block_update_data(block, 1) == cudaSuccess);
    expect(!gate_open);
    expect(pthread_create(&opener, NULL, open_gate_later, NULL) == 0);
    expect(block_access(block, 0, BLOCK_WRITE, &data) == cudaSuccess);
    expect(gate_open);
    fill(data, 4096, 4.0);
    double *gpu;
    expect(block_get_data(block, 1, &gpu) == cudaSuccess && holds(gpu, 4096, 3.0));
    pthread_join(opener, NULL);
    block_destroy(block);
    block_store_destroy(store);
    check_cuda(cudaStreamDestroy(stream));
}

static void memory_in_flight_is_not_released(void)
{
    struct block_store *store = make_store(BLOCK_OPTIMIZED, 2);
    struct block *block = block_create(store, 4096);
    struct block_cache_statistics before, after;
    double *data;
    void *other;
    cudaStream_t stream;
    check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    expect(block_access(block, 0, BLOCK_WRITE, &data) == cudaSuccess);
    gate_open = false;
    block_cache_statistics(cache, &before);
    check_cuda(cudaLaunchHostFunc(stream, wait_at_gate, NULL));
    expect(block_set_busy(block, 0, stream) == cudaSuccess);
    block_destroy(block);
    block_cache_statistics(cache, &after);
    expect(after.pending_blocks == before.pending_blocks + 1);
    expect(block_cache_allocate(cache, 4096 * sizeof(double), &other) == BLOCK_CACHE_OK);
    expect(other != (void *)data);
    expect(block_cache_release(cache, other) == BLOCK_CACHE_OK);
    gate_open = true;
    check_cuda(cudaStreamSynchronize(stream));
    block_store_destroy(store);
    check_cuda(cudaStreamDestroy(stream));
}

/* ---- bad arguments, lack of memory ---- */

static void bad_arguments_are_errors(void)
{
    struct block_store *store;
    expect(block_store_create(&store, cache, 0, 0, 2, BLOCK_OPTIMIZED) == cudaErrorInvalidValue);
    expect(block_store_create(&store, cache, 0, BLOCK_SLOTS, 2, BLOCK_OPTIMIZED) ==
           cudaErrorInvalidValue);
    expect(block_store_create(&store, cache, 0, 1, 0, BLOCK_OPTIMIZED) == cudaErrorInvalidValue);
    expect(block_store_create(&store, cache, 0, 1, BLOCK_STREAMS + 1, BLOCK_OPTIMIZED) ==
           cudaErrorInvalidValue);
    expect(block_store_create(&store, cache, 99, 1, 2, BLOCK_OPTIMIZED) != cudaSuccess && !store);
    cudaGetLastError();
    store = make_store(BLOCK_OPTIMIZED, 1);
    struct block *block = block_create(store, 10);
    double *data;
    expect(block_access(block, -1, BLOCK_READ, &data) == cudaErrorInvalidValue && !data);
    expect(block_access(block, gpus + 1, BLOCK_READ, &data) == cudaErrorInvalidValue);
    expect(block_get_data(block, gpus + 1, &data) == cudaErrorInvalidValue && !data);
    expect(block_update_data(block, -1) == cudaErrorInvalidValue);
    expect(block_set_busy(block, 0, 0) == cudaErrorInvalidValue); /* no data there yet */
    expect(block_create(store, SIZE_MAX / 4) == NULL);
    block_destroy(block);
    block_destroy(NULL);
    block_store_destroy(store);
    block_store_destroy(NULL);
}

static void lack_of_memory_is_reported(void)
{
    struct block_cache_config config = {.kind = BLOCK_CACHE_SEGMENTS, .limit_bytes = 1 << 20};
    struct block_cache *small = block_cache_create(&config);
    struct block_store *store;
    check_cuda(block_store_create(&store, small, 0, 1, 2, BLOCK_OPTIMIZED));
    struct block *block = block_create(store, 1 << 20),
                 *huge = block_create(store, (size_t)1 << 41);
    double *data;
    expect(block_access(block, 0, BLOCK_WRITE, &data) == cudaErrorMemoryAllocation && !data);
    expect(block_latest_slot(block) == -1 && block_store_counters(store)->accesses == 0);
    expect(block_access(huge, 1, BLOCK_WRITE, &data) == cudaErrorMemoryAllocation && !data);
    expect(cudaGetLastError() == cudaSuccess);
    expect(block_access(block, 1, BLOCK_WRITE, &data) == cudaSuccess && data);
    expect(block_access(block, 0, BLOCK_READ, &data) == cudaErrorMemoryAllocation);
    expect(block_latest_slot(block) == 1);
    block_destroy(block);
    block_destroy(huge);
    block_store_destroy(store);
    expect(block_cache_destroy(small) == 0);
}

int main(void)
{
    setenv("SOFTGPU_DEVICES", "2", 1);
    check_cuda(cudaGetDeviceCount(&gpus));
    gpus = gpus > 2 ? 2 : gpus;
    struct block_cache_config config = {.kind = BLOCK_CACHE_SEGMENTS};
    cache = block_cache_create(&config);
    run_test(a_block_never_written_is_not_copied);
    run_test(data_follow_the_accesses);
    run_test(an_intent_to_write_saves_the_copy);
    run_test(random_accesses_unoptimized);
    run_test(random_accesses_optimized);
    run_test(a_busy_source_is_not_overwritten);
    run_test(memory_in_flight_is_not_released);
    run_test(bad_arguments_are_errors);
    run_test(lack_of_memory_is_reported);
    block_cache_destroy(cache);
    return end_tests();
}
