/* Both kinds of block caches: against a plain model, at their limits, with bad pointers, with
 * memory that runs out, with copies in flight. */
#include "pinning_cache_test.h"

#include "common/harness/exit.h"

static void random_operations_agree_with_a_model(void)
{
    enum { SLOTS = 60 };
    struct pinning_cache *cache = make_cache(0);
    struct held held[SLOTS] = {0};
    size_t live_bytes = 0, live_blocks = 0, peak_bytes = 0;
    uint64_t requests = 0;
    for (uint64_t i = 0; i < 6000; i++) {
        struct held *slot = &held[random_below(2, 3 * i, SLOTS)];
        if (slot->block) {
            expect(is_marked(slot));
            expect(pinning_cache_release(cache, slot->block) == DM_OK);
            live_bytes -= slot->bytes;
            live_blocks--;
            slot->block = NULL;
            continue;
        }
        slot->bytes = (size_t)1 << random_below(2, 3 * i + 1, 19);
        slot->bytes += random_below(2, 3 * i + 2, slot->bytes);
        void *block;
        expect(pinning_cache_allocate(cache, slot->bytes, &block) == DM_OK);
        slot->block = block;
        expect((uintptr_t)block % 256 == 0);
        mark(slot, (unsigned char)i);
        live_bytes += slot->bytes;
        live_blocks++;
        requests++;
        peak_bytes = live_bytes > peak_bytes ? live_bytes : peak_bytes;
        if (i % 500 == 499)
            pinning_cache_trim(cache);
    }
    struct pinning_cache_statistics s = statistics_of(cache);
    expect(s.live_bytes == live_bytes && s.live_blocks == live_blocks);
    expect(s.peak_live_bytes == peak_bytes && s.hits + s.misses == requests);
    expect(s.failures == 0 && s.pending_blocks == 0);
    expect(s.reserved_bytes <= s.peak_reserved_bytes && s.peak_reserved_bytes >= peak_bytes);
    for (size_t i = 0; i < SLOTS; i++)
        if (held[i].block)
            expect(is_marked(&held[i]) && pinning_cache_release(cache, held[i].block) == DM_OK);
    expect(statistics_of(cache).live_bytes == 0);
    expect(pinning_cache_trim(cache) == statistics_of(cache).peak_reserved_bytes ||
           statistics_of(cache).reserved_bytes == 0);
    expect(statistics_of(cache).reserved_bytes == 0 && system_blocks == 0);
    expect(destroy_cache(cache) == 0);
}

static void released_blocks_serve_again(void)
{
    struct pinning_cache *cache = make_cache(0);
    void *first, *second;
    expect(pinning_cache_allocate(cache, 5000, &first) == DM_OK);
    expect(pinning_cache_release(cache, first) == DM_OK);
    expect(pinning_cache_allocate(cache, 5000, &second) == DM_OK);
    expect(first == second);
    struct pinning_cache_statistics s = statistics_of(cache);
    expect(s.hits == 1 && s.misses == 1 && s.live_bytes == 5000);
    expect(destroy_cache(cache) == 1 && system_blocks == 0);
}

static void unknown_pointers_are_errors(void)
{
    struct pinning_cache *cache = make_cache(0), *other = make_cache(0);
    int elsewhere;
    void *block, *foreign;
    expect_error(pinning_cache_release(cache, NULL), DM_INVALID, "is not a live block");
    expect(pinning_cache_release(cache, &elsewhere) == DM_INVALID);
    expect(pinning_cache_release(cache, (void *)UINTPTR_MAX) == DM_INVALID);
    expect(pinning_cache_allocate(cache, 100000, &block) == DM_OK);
    expect(pinning_cache_allocate(other, 100000, &foreign) == DM_OK);
    expect(pinning_cache_release(cache, foreign) == DM_INVALID);
    expect(pinning_cache_release(cache, (char *)block + 1) == DM_INVALID);
    expect(pinning_cache_release(cache, (char *)block + 4096) == DM_INVALID);
    expect(pinning_cache_release_after(cache, foreign, 0) == DM_INVALID);
    expect(statistics_of(cache).live_blocks == 1);
    expect(pinning_cache_release(cache, block) == DM_OK);
    expect(pinning_cache_release(cache, block) == DM_INVALID);
    expect(pinning_cache_release_after(cache, block, 0) == DM_INVALID);
    pinning_cache_trim(cache);
    expect(pinning_cache_release(cache, block) == DM_INVALID);
    expect(statistics_of(cache).live_blocks == 0);
    pinning_cache_destroy(cache);
    expect(destroy_cache(other) == 1);
}

static void a_stream_that_is_none_is_an_error(void)
{
    struct pinning_cache *cache = make_cache(0);
    cudaStream_t stream;
    void *block;
    expect(cudaStreamCreate(&stream) == cudaSuccess && cudaStreamDestroy(stream) == cudaSuccess);
#if defined(SOFTGPU)
    expect(pinning_cache_allocate(cache, 64, &block) == DM_OK);
    expect_error(pinning_cache_release_after(cache, block, stream), DM_FAILED, "cudaEventRecord");
    expect(statistics_of(cache).live_blocks == 1);
    cudaGetLastError();
    expect(pinning_cache_release(cache, block) == DM_OK);
#else
    (void)block; /* CUDA does not promise to notice a destroyed stream */
#endif
    pinning_cache_destroy(cache);
}

static void the_limit_holds_and_free_memory_yields(void)
{
    enum { LIMIT = 8 << 20, BLOCK = 1 << 20 };
    struct pinning_cache *cache = make_cache(LIMIT);
    void *blocks[8], *large;
    expect(pinning_cache_allocate(cache, LIMIT + 1, &large) == DM_NO_MEMORY && !large);
    expect(pinning_cache_allocate(cache, SIZE_MAX, &large) == DM_NO_MEMORY && !large);
    for (int i = 0; i < 8; i++)
        expect(pinning_cache_allocate(cache, BLOCK, &blocks[i]) == DM_OK);
    expect(pinning_cache_allocate(cache, BLOCK, &large) == DM_NO_MEMORY);
    expect(statistics_of(cache).peak_reserved_bytes <= LIMIT);
    expect(statistics_of(cache).failures >= 2);
    for (int i = 0; i < 8; i++)
        expect(pinning_cache_release(cache, blocks[i]) == DM_OK);
    /* All is free now, but in pieces: they must be given back for this. */
    expect(pinning_cache_allocate(cache, LIMIT - 4096, &large) == DM_OK);
    expect(statistics_of(cache).unlocks > 0);
    expect(statistics_of(cache).peak_reserved_bytes <= LIMIT);
    expect(pinning_cache_release(cache, large) == DM_OK);
    expect(pinning_cache_allocate(cache, 0, &large) == DM_OK && large);
    expect(destroy_cache(cache) == 1 && system_blocks == 0);
}

static void failures_of_the_system_are_reported(void)
{
    struct pinning_cache *cache = make_cache(0);
    void *first, *block;
    system_calls_left = 0;
    expect(pinning_cache_allocate(cache, 100, &block) == DM_NO_MEMORY && !block);
    system_calls_left = 1;
    expect(pinning_cache_allocate(cache, 4 << 20, &first) == DM_OK);
    expect(pinning_cache_allocate(cache, 16 << 20, &block) == DM_NO_MEMORY && !block);
    expect(statistics_of(cache).failures == 2 && statistics_of(cache).live_blocks == 1);
    expect(pinning_cache_release(cache, first) == DM_OK);
    expect(pinning_cache_allocate(cache, 4 << 20, &block) == DM_OK && block == first);
    expect(pinning_cache_release(cache, block) == DM_OK);
    /* Free memory is given back when the system refuses more. */
    expect(pinning_cache_allocate(cache, 16 << 20, &block) == DM_NO_MEMORY);
    expect(statistics_of(cache).reserved_bytes == 0 && system_blocks == 0);
    system_calls_left = -1;
    expect(pinning_cache_allocate(cache, 16 << 20, &block) == DM_OK);
    expect(cudaPeekAtLastError() == cudaSuccess);
    expect(destroy_cache(cache) == 1 && system_blocks == 0);
}

static void the_thesis_gives_small_blocks_back_first(void)
{
    enum { UNIT = 65536 };
    kind = PINNING_CACHE_THESIS;
    struct pinning_cache *cache = make_cache(10 * UNIT);
    void *blocks[4], *large;
    for (size_t i = 0; i < 4; i++)
        expect(pinning_cache_allocate(cache, (i + 1) * UNIT, &blocks[i]) == DM_OK);
    for (size_t i = 0; i < 4; i++)
        expect(pinning_cache_release(cache, blocks[i]) == DM_OK);
    /* 6 units are needed: the sizes 1, 2 and 3 go, the 4 stays. */
    expect(pinning_cache_allocate(cache, 6 * UNIT, &large) == DM_OK);
    expect(statistics_of(cache).unlocks == 3);
    expect(statistics_of(cache).reserved_bytes == 10 * UNIT);
    expect(pinning_cache_allocate(cache, UNIT, &blocks[0]) == DM_OK);
    expect(blocks[0] == blocks[3] && statistics_of(cache).hits == 1);
    expect(destroy_cache(cache) == 2 && system_blocks == 0);
}

/* ---- copies in flight ---- */

static _Atomic bool gate_open;

static void wait_at_gate(void *unused)
{
    (void)unused;
    double start_s = clock_now_s();
    while (!gate_open && clock_now_s() - start_s < 20.0)
        sched_yield();
}

static void blocks_in_flight_are_not_handed_out(void)
{
    enum { BLOCKS = 100, BYTES = 40000 };
    struct pinning_cache *cache = make_cache(0);
    cudaStream_t stream;
    void *pending[BLOCKS], *blocks[BLOCKS], *again;
    check_cuda(cudaStreamCreate(&stream));
    for (int i = 0; i < BLOCKS; i++)
        expect(pinning_cache_allocate(cache, BYTES, &pending[i]) == DM_OK);
    gate_open = false;
    check_cuda(cudaLaunchHostFunc(stream, wait_at_gate, NULL));
    for (int i = 0; i < BLOCKS; i++)
        expect(pinning_cache_release_after(cache, pending[i], stream) == DM_OK);
    expect(pinning_cache_release(cache, pending[0]) == DM_INVALID);
    expect(statistics_of(cache).pending_blocks == BLOCKS && statistics_of(cache).live_blocks == 0);
    pinning_cache_trim(cache);
    for (int i = 0; i < BLOCKS; i++) {
        expect(pinning_cache_allocate(cache, BYTES, &blocks[i]) == DM_OK);
        for (int j = 0; j < BLOCKS; j++)
            expect(blocks[i] != pending[j]);
    }
    gate_open = true;
    check_cuda(cudaStreamSynchronize(stream));
    for (int i = 0; i < BLOCKS; i++)
        expect(pinning_cache_release(cache, blocks[i]) == DM_OK);
    pinning_cache_trim(cache);
    expect(statistics_of(cache).pending_blocks == 0 && statistics_of(cache).reserved_bytes == 0);
    expect(pinning_cache_allocate(cache, BYTES, &again) == DM_OK);
    expect(pinning_cache_release_after(cache, again, stream) == DM_OK);
    expect(destroy_cache(cache) == 0 && system_blocks == 0);
    check_cuda(cudaStreamDestroy(stream));
}

/* Copies to the GPU are started and their blocks released at once; whatever the cache does with
 * the memory, the GPU must get what was in the block when the copy was started. */
static void copies_in_flight_keep_their_data(void)
{
    enum { ROUNDS = 300, BYTES = 64 * 1024 };
    struct pinning_cache_config config = {.kind = kind};
    struct pinning_cache *cache;
    check_status(pinning_cache_create(&cache, &config));
    unsigned char *gpu, *back = malloc(BYTES);
    cudaStream_t streams[2];
    check_cuda(cudaMalloc((void **)&gpu, (size_t)ROUNDS * BYTES));
    for (int s = 0; s < 2; s++)
        check_cuda(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
    for (int i = 0; i < ROUNDS; i++) {
        void *block;
        expect(pinning_cache_allocate(cache, BYTES, &block) == DM_OK);
        memset(block, i % 251, BYTES);
        check_cuda(cudaMemcpyAsync(gpu + (size_t)i * BYTES, block, BYTES, cudaMemcpyHostToDevice,
                                   streams[i % 2]));
        expect(pinning_cache_release_after(cache, block, streams[i % 2]) == DM_OK);
    }
    check_cuda(cudaDeviceSynchronize());
    for (int i = 0; i < ROUNDS; i++) {
        check_cuda(cudaMemcpy(back, gpu + (size_t)i * BYTES, BYTES, cudaMemcpyDeviceToHost));
        struct held held = {back, BYTES, (unsigned char)(i % 251)};
        expect(is_marked(&held));
    }
    expect(destroy_cache(cache) == 0);
    for (int s = 0; s < 2; s++)
        check_cuda(cudaStreamDestroy(streams[s]));
    check_cuda(cudaFree(gpu));
    free(back);
}

static void caches_come_and_go(void)
{
    for (int i = 0; i < 50; i++) {
        struct pinning_cache *a = make_cache(0), *b = make_cache(0);
        void *of_a, *of_b;
        for (int j = 0; j < 5; j++) {
            expect(pinning_cache_allocate(a, 1000, &of_a) == DM_OK);
            expect(pinning_cache_allocate(b, 1000, &of_b) == DM_OK);
            expect(of_a != of_b);
            expect(pinning_cache_release(a, of_a) == DM_OK);
            expect(pinning_cache_release(b, of_b) == DM_OK);
        }
        expect(destroy_cache(a) == 0 && destroy_cache(b) == 0);
    }
    expect(system_blocks == 0);
}

/* ---- waste ---- */

static void segments_waste_little(void)
{
    enum { LIVE = 64, REQUESTS = 3000 };
    kind = PINNING_CACHE_SEGMENTS;
    struct pinning_cache *cache = make_cache(0);
    void *blocks[LIVE] = {0};
    for (uint64_t i = 0; i < REQUESTS; i++) {
        size_t at = i < LIVE ? i : random_below(11, 2 * i, LIVE);
        if (blocks[at])
            expect(pinning_cache_release(cache, blocks[at]) == DM_OK);
        size_t bytes = (size_t)4096 << random_below(11, 2 * i + 1, 14);
        bytes += random_below(12, i, bytes);
        expect(pinning_cache_allocate(cache, bytes, &blocks[at]) == DM_OK);
    }
    struct pinning_cache_statistics s = statistics_of(cache);
    expect((double)s.peak_reserved_bytes <= 1.15 * (double)s.peak_live_bytes);
    expect(destroy_cache(cache) == LIVE && system_blocks == 0);
}

static void a_kind_that_is_none_is_an_error(void)
{
    struct pinning_cache_config config = {.kind = (enum pinning_cache_kind)7};
    struct pinning_cache *cache = NULL;
    expect_error(pinning_cache_create(&cache, &config), DM_INVALID, "7 is not a kind");
    expect(!cache);
    pinning_cache_destroy(NULL);
}

int main(void)
{
    static const char *const names[] = {"thesis", "segments"};
    for (int k = 0; k < 2; k++) {
        kind = k ? PINNING_CACHE_SEGMENTS : PINNING_CACHE_THESIS;
        printf("# kind %s\n", names[k]);
        run_test(random_operations_agree_with_a_model);
        run_test(released_blocks_serve_again);
        run_test(unknown_pointers_are_errors);
        run_test(a_stream_that_is_none_is_an_error);
        run_test(the_limit_holds_and_free_memory_yields);
        run_test(failures_of_the_system_are_reported);
        run_test(blocks_in_flight_are_not_handed_out);
        run_test(copies_in_flight_keep_their_data);
        run_test(caches_come_and_go);
    }
    run_test(the_thesis_gives_small_blocks_back_first);
    run_test(segments_waste_little);
    run_test(a_kind_that_is_none_is_an_error);
    return end_tests();
}
