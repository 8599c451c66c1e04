/* Blocks with a copy per device: versions, intents, copies in flight, against a plain model. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <datamotion/pinning.h>

#include "common/clock.h"
#include "common/harness/exit.h"
#include "common/random.h"
#include "tests/unit/test_status.h"

static struct pinning_cache *cache;
static int gpus;

static struct pinning_store *make_store(enum pinning_policy policy, int streams)
{
    struct pinning_store *store = NULL;
    check_status(pinning_store_create(&store, cache, 0, gpus, streams, policy));
    return store;
}

static struct pinning_block *make_block(struct pinning_store *store, size_t elements)
{
    struct pinning_block *block = NULL;
    check_status(pinning_block_create(&block, store, elements * sizeof(double)));
    return block;
}

/* Writes every number of the slot's data, wherever they are. */
static void fill(void *data, size_t elements, double value)
{
    double *host = malloc(elements * sizeof(double));
    for (size_t i = 0; i < elements; i++)
        host[i] = value + (double)i;
    check_cuda(cudaMemcpy(data, host, elements * sizeof(double), cudaMemcpyDefault));
    free(host);
}

static bool holds(const void *data, size_t elements, double value)
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
    struct pinning_store *store = make_store(PINNING_UNOPTIMIZED, 2);
    struct pinning_block *block = make_block(store, 100);
    void *data;
    expect(pinning_block_latest_slot(block) == -1);
    expect(pinning_block_access(block, 1, PINNING_READ, &data) == DM_OK && data);
    expect(pinning_block_access(block, 0, PINNING_READ, &data) == DM_OK && data);
    expect(pinning_block_latest_slot(block) == -1);
    expect(pinning_store_counters(store)->copies == 0);
    pinning_block_destroy(block);
    pinning_store_destroy(store);
}

static void data_follow_the_accesses(void)
{
    struct pinning_store *store = make_store(PINNING_OPTIMIZED, 2);
    struct pinning_block *block = make_block(store, 1000);
    void *host, *gpu;
    expect(pinning_block_access(block, 0, PINNING_WRITE, &host) == DM_OK);
    fill(host, 1000, 7.0);
    expect(pinning_block_latest_slot(block) == 0);
    expect(pinning_block_access(block, 1, PINNING_READ, &gpu) == DM_OK && gpu != host);
    expect(holds(gpu, 1000, 7.0));
    expect(pinning_block_latest_slot(block) == 0); /* both are new; the first one counts */
    expect(pinning_block_access(block, 1, PINNING_READ, &gpu) == DM_OK);
    expect(pinning_store_counters(store)->copies == 1);
    expect(pinning_block_access(block, 1, PINNING_UPDATE, &gpu) == DM_OK);
    fill(gpu, 1000, 8.0);
    expect(pinning_block_latest_slot(block) == 1);
    expect(pinning_block_access(block, 0, PINNING_READ, &host) == DM_OK);
    expect(holds(host, 1000, 8.0));
    expect(pinning_store_counters(store)->copies == 2);
    expect(pinning_store_counters(store)->copied_bytes == 2 * 1000 * sizeof(double));
    expect(pinning_store_counters(store)->accesses == 5);
    pinning_block_destroy(block);
    pinning_store_destroy(store);
}

static void an_intent_to_write_saves_the_copy(void)
{
    for (int policy = 0; policy < 2; policy++) {
        struct pinning_store *store =
            make_store(policy ? PINNING_OPTIMIZED : PINNING_UNOPTIMIZED, PINNING_DEFAULT_STREAMS);
        struct pinning_block *block = make_block(store, 50);
        void *data;
        expect(pinning_block_access(block, 0, PINNING_WRITE, &data) == DM_OK);
        fill(data, 50, 1.0);
        expect(pinning_block_access(block, 1, PINNING_WRITE, &data) == DM_OK);
        fill(data, 50, 2.0);
        expect(pinning_block_latest_slot(block) == 1);
        expect(pinning_store_counters(store)->copies == !policy);
        expect(pinning_store_counters(store)->saved_copies == (uint64_t)policy);
        expect(pinning_block_access(block, 0, PINNING_READ, &data) == DM_OK);
        expect(holds(data, 50, 2.0));
        pinning_block_destroy(block);
        pinning_store_destroy(store);
    }
}

static void random_accesses_agree_with_a_model(enum pinning_policy policy, int streams)
{
    enum { BLOCKS = 8, ELEMENTS = 3000, ACCESSES = 800 };
    struct pinning_store *store = make_store(policy, streams);
    struct pinning_block *blocks[BLOCKS] = {0};
    bool newest[BLOCKS][PINNING_SLOTS];
    double written[BLOCKS];
    uint64_t copies = 0, saved = 0;
    for (uint64_t i = 0; i < ACCESSES; i++) {
        size_t b = random_below(4, 4 * i, BLOCKS);
        if (!blocks[b] || random_below(4, 4 * i + 1, 20) == 0) {
            pinning_block_destroy(blocks[b]);
            blocks[b] = make_block(store, ELEMENTS);
            memset(newest[b], 0, sizeof newest[b]);
            written[b] = 0.0;
        }
        int slot = (int)random_below(4, 4 * i + 2, (uint64_t)gpus + 1);
        enum pinning_intent intent = (enum pinning_intent)random_below(4, 4 * i + 3, 3);
        bool stale = written[b] != 0.0 && !newest[b][slot];
        bool skips = policy == PINNING_OPTIMIZED && intent == PINNING_WRITE;
        copies += stale && !skips;
        saved += stale && skips;
        void *data;
        expect(pinning_block_access(blocks[b], slot, intent, &data) == DM_OK);
        if (written[b] != 0.0 && !skips)
            expect(holds(data, ELEMENTS, written[b]));
        newest[b][slot] |= stale && !skips;
        if (intent != PINNING_READ) {
            memset(newest[b], 0, sizeof newest[b]);
            newest[b][slot] = true;
            written[b] = 1.0 + (double)i;
            fill(data, ELEMENTS, written[b]);
        }
        expect(pinning_store_counters(store)->copies == copies);
        expect(pinning_store_counters(store)->saved_copies == saved);
    }
    expect(copies > 20 && (saved > 10 || policy == PINNING_UNOPTIMIZED));
    for (int b = 0; b < BLOCKS; b++)
        pinning_block_destroy(blocks[b]);
    pinning_store_destroy(store);
}

static void random_accesses_unoptimized(void)
{
    random_accesses_agree_with_a_model(PINNING_UNOPTIMIZED, 2);
}

static void random_accesses_optimized(void)
{
    random_accesses_agree_with_a_model(PINNING_OPTIMIZED, 1);
    random_accesses_agree_with_a_model(PINNING_OPTIMIZED, 3);
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
    struct pinning_store *store = make_store(PINNING_OPTIMIZED, 2);
    struct pinning_block *block = make_block(store, 4096);
    void *data;
    cudaStream_t stream;
    pthread_t opener;
    check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    expect(pinning_block_access(block, 0, PINNING_WRITE, &data) == DM_OK);
    fill(data, 4096, 3.0);
    gate_open = false;
    check_cuda(cudaLaunchHostFunc(stream, wait_at_gate, NULL));
    expect(pinning_block_set_busy(block, 0, stream) == DM_OK);
    /* The copy to the GPU is enqueued behind that work, without waiting for it here. */
    expect(pinning_block_update_data(block, 1) == DM_OK);
    expect(!gate_open);
    expect(pthread_create(&opener, NULL, open_gate_later, NULL) == 0);
    expect(pinning_block_access(block, 0, PINNING_WRITE, &data) == DM_OK);
    expect(gate_open);
    fill(data, 4096, 4.0);
    void *gpu;
    expect(pinning_block_get_data(block, 1, &gpu) == DM_OK && holds(gpu, 4096, 3.0));
    pthread_join(opener, NULL);
    pinning_block_destroy(block);
    pinning_store_destroy(store);
    check_cuda(cudaStreamDestroy(stream));
}

static void memory_in_flight_is_not_released(void)
{
    struct pinning_store *store = make_store(PINNING_OPTIMIZED, 2);
    struct pinning_block *block = make_block(store, 4096);
    struct pinning_cache_statistics before, after;
    void *data;
    void *other;
    cudaStream_t stream;
    check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    expect(pinning_block_access(block, 0, PINNING_WRITE, &data) == DM_OK);
    gate_open = false;
    pinning_cache_statistics(cache, &before);
    check_cuda(cudaLaunchHostFunc(stream, wait_at_gate, NULL));
    expect(pinning_block_set_busy(block, 0, stream) == DM_OK);
    pinning_block_destroy(block);
    pinning_cache_statistics(cache, &after);
    expect(after.pending_blocks == before.pending_blocks + 1);
    expect(pinning_cache_allocate(cache, 4096 * sizeof(double), &other) == DM_OK);
    expect(other != (void *)data);
    expect(pinning_cache_release(cache, other) == DM_OK);
    gate_open = true;
    check_cuda(cudaStreamSynchronize(stream));
    pinning_store_destroy(store);
    check_cuda(cudaStreamDestroy(stream));
}

/* ---- bad arguments, lack of memory ---- */

static void bad_arguments_are_errors(void)
{
    struct pinning_store *store;
    expect_error(pinning_store_create(&store, cache, 0, 0, 2, PINNING_OPTIMIZED), DM_INVALID,
                 "on 0 GPUs: 1 to 15");
    expect_error(pinning_store_create(&store, cache, 0, PINNING_SLOTS, 2, PINNING_OPTIMIZED),
                 DM_INVALID, "on 16 GPUs");
    expect_error(pinning_store_create(&store, cache, 0, 1, 0, PINNING_OPTIMIZED), DM_INVALID,
                 "with 0 streams: 1 to 8");
    expect_error(pinning_store_create(&store, cache, 0, 1, PINNING_STREAMS + 1, PINNING_OPTIMIZED),
                 DM_INVALID, "with 9 streams");
    expect(pinning_store_create(&store, cache, 99, 1, 2, PINNING_OPTIMIZED) != DM_OK && !store);
    cudaGetLastError();
    store = make_store(PINNING_OPTIMIZED, 1);
    struct pinning_block *block = make_block(store, 10);
    void *data;
    expect_error(pinning_block_access(block, -1, PINNING_READ, &data), DM_INVALID, "slot -1");
    expect(!data);
    expect(pinning_block_access(block, gpus + 1, PINNING_READ, &data) == DM_INVALID);
    expect(pinning_block_get_data(block, gpus + 1, &data) == DM_INVALID && !data);
    expect(pinning_block_update_data(block, -1) == DM_INVALID);
    expect_error(pinning_block_set_busy(block, 0, 0), DM_INVALID, "slot 0 of a block has no data");
    pinning_block_destroy(block);
    pinning_block_destroy(NULL);
    pinning_store_destroy(store);
    pinning_store_destroy(NULL);
}

static void lack_of_memory_is_reported(void)
{
    struct pinning_cache_config config = {.kind = PINNING_CACHE_SEGMENTS, .limit_bytes = 1 << 20};
    struct pinning_cache *small;
    struct pinning_store *store;
    expect_ok(pinning_cache_create(&small, &config));
    check_status(pinning_store_create(&store, small, 0, 1, 2, PINNING_OPTIMIZED));
    struct pinning_block *block = make_block(store, 1 << 20),
                         *huge = make_block(store, (size_t)1 << 41);
    void *data;
    expect_error(pinning_block_access(block, 0, PINNING_WRITE, &data), DM_NO_MEMORY,
                 "a block of 8388608 bytes: 0 bytes are page-locked, 0 of them in use, and the "
                 "cache's limit is 1048576");
    expect(!data);
    expect(pinning_block_latest_slot(block) == -1 && pinning_store_counters(store)->accesses == 0);
    expect_error(pinning_block_access(huge, 1, PINNING_WRITE, &data), DM_NO_MEMORY,
                 "a block of 17592186044416 bytes on GPU 0");
    expect(!data && cudaGetLastError() == cudaSuccess);
    expect(pinning_block_access(block, 1, PINNING_WRITE, &data) == DM_OK && data);
    expect(pinning_block_access(block, 0, PINNING_READ, &data) == DM_NO_MEMORY);
    expect(pinning_block_latest_slot(block) == 1);
    pinning_block_destroy(block);
    pinning_block_destroy(huge);
    pinning_store_destroy(store);
    pinning_cache_destroy(small);
}

int main(void)
{
    setenv("SOFTGPU_DEVICES", "2", 1);
    check_cuda(cudaGetDeviceCount(&gpus));
    gpus = gpus > 2 ? 2 : gpus;
    check_status(pinning_cache_create(&cache, NULL));
    run_test(a_block_never_written_is_not_copied);
    run_test(data_follow_the_accesses);
    run_test(an_intent_to_write_saves_the_copy);
    run_test(random_accesses_unoptimized);
    run_test(random_accesses_optimized);
    run_test(a_busy_source_is_not_overwritten);
    run_test(memory_in_flight_is_not_released);
    run_test(bad_arguments_are_errors);
    run_test(lack_of_memory_is_reported);
    pinning_cache_destroy(cache);
    return end_tests();
}
