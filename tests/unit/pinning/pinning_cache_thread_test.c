/* Both kinds of block caches under several threads. */
#include "pinning/magazine.h"

#include "pinning_cache_test.h"

enum { THREADS = 4, PER_THREAD = 12, OPERATIONS = 3000 };

static struct pinning_cache *shared;
static _Atomic(void *) exchange[THREADS]; /* blocks that another thread releases */

static void *use_cache(void *argument)
{
    uint64_t seed = (uint64_t)(uintptr_t)argument;
    struct held held[PER_THREAD] = {0};
    for (uint64_t i = 0; i < OPERATIONS; i++) {
        struct held *slot = &held[random_below(seed, 3 * i, PER_THREAD)];
        if (!slot->block) {
            void *block;
            slot->bytes = 1 + random_below(seed, 3 * i + 1, 30000);
            if (pinning_cache_allocate(shared, slot->bytes, &block) != DM_OK)
                continue;
            slot->block = block;
            mark(slot, (unsigned char)(seed * 50 + i % 50));
            continue;
        }
        if (!is_marked(slot))
            return "damaged";
        void *block = slot->block;
        if (random_below(seed, 3 * i + 2, 4) == 0)
            block = atomic_exchange(&exchange[random_below(seed, i, THREADS)], block);
        if (block && pinning_cache_release(shared, block) != DM_OK)
            return "not released";
        slot->block = NULL;
        if (i % 700 == 0)
            pinning_cache_trim(shared);
    }
    for (int i = 0; i < PER_THREAD; i++)
        if (held[i].block && pinning_cache_release(shared, held[i].block) != DM_OK)
            return "not released at the end";
    return NULL;
}

static void threads_share_a_cache(void)
{
    pthread_t threads[THREADS];
    shared = make_cache(1600 * 1024); /* tight: trimming happens all the time */
    for (uintptr_t i = 0; i < THREADS; i++)
        expect(pthread_create(&threads[i], NULL, use_cache, (void *)(i + 1)) == 0);
    for (int i = 0; i < THREADS; i++) {
        void *complaint;
        expect(pthread_join(threads[i], &complaint) == 0);
        if (complaint)
            printf("# thread %d: %s\n", i, (const char *)complaint);
        expect(complaint == NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        void *block = atomic_exchange(&exchange[i], NULL);
        expect(!block || pinning_cache_release(shared, block) == DM_OK);
    }
    struct pinning_cache_statistics s = statistics_of(shared);
    expect(s.live_blocks == 0 && s.live_bytes == 0 && s.peak_reserved_bytes <= 1600 * 1024);
    pinning_cache_trim(shared);
    expect(statistics_of(shared).reserved_bytes == 0 && system_blocks == 0);
    pinning_cache_destroy(shared);
}

static void *release_twice(void *block)
{
    return (void *)(uintptr_t)(pinning_cache_release(shared, block) == DM_OK);
}

static void of_two_releases_at_once_one_succeeds(void)
{
    shared = make_cache(0);
    for (int i = 0; i < 200; i++) {
        pthread_t threads[2];
        void *block, *succeeded[2];
        expect(pinning_cache_allocate(shared, 4096, &block) == DM_OK);
        for (int t = 0; t < 2; t++)
            expect(pthread_create(&threads[t], NULL, release_twice, block) == 0);
        for (int t = 0; t < 2; t++)
            pthread_join(threads[t], &succeeded[t]);
        expect((succeeded[0] != NULL) + (succeeded[1] != NULL) == 1);
    }
    pinning_cache_destroy(shared);
}

/* The memory that a sleeping thread has kept for itself can be had by others. */
static _Atomic int stage;

static void *keep_and_sleep(void *unused)
{
    (void)unused;
    void *block;
    pinning_cache_allocate(shared, 1 << 20, &block);
    pinning_cache_release(shared, block);
    stage = 1;
    double start_s = clock_now_s();
    while (stage != 2 && clock_now_s() - start_s < 20.0)
        sched_yield();
    return NULL;
}

static void memory_kept_by_a_sleeping_thread_is_not_lost(void)
{
    pthread_t thread;
    void *block;
    shared = make_cache(1 << 20);
    stage = 0;
    expect(pthread_create(&thread, NULL, keep_and_sleep, NULL) == 0);
    double start_s = clock_now_s();
    while (stage != 1 && clock_now_s() - start_s < 20.0)
        sched_yield();
    expect(pinning_cache_allocate(shared, 1 << 20, &block) == DM_OK);
    expect(pinning_cache_release(shared, block) == DM_OK);
    stage = 2;
    pthread_join(thread, NULL);
    expect(destroy_cache(shared) == 0 && system_blocks == 0);
}

static void test_kind(enum pinning_cache_kind tested, const char *name)
{
    kind = tested;
    printf("# %s\n", name);
    run_test(threads_share_a_cache);
    run_test(of_two_releases_at_once_one_succeeds);
    run_test(memory_kept_by_a_sleeping_thread_is_not_lost);
}

int main(void)
{
    test_kind(PINNING_CACHE_THESIS, "thesis");
    test_kind(PINNING_CACHE_SEGMENTS, "segments");
    magazine_full_barrier = true;
    test_kind(PINNING_CACHE_SEGMENTS, "segments, on a kernel without membarrier");
    return end_tests();
}
