/* unified_ways_test.c: every way to bring an array to the device gives the right results with every
 * pattern of access, and wrong ones are seen. */
#include "tests/unit/test.h"
#include "unified_memory/access.h"
#include "unified_memory/ways.h"

enum { COUNT = 70001, SEED = 3, REPEATS = 2 };

static void every_way_is_right(void)
{
    struct ways_memory memory;

    ways_memory_open(&memory, COUNT);
    for (int time = 0; time < 2; time++) /* advice is taken back and given again */
        for (int way = 0; way < WAYS; way++)
            for (int pattern = 0; pattern < PATTERNS; pattern++) {
                struct array array;
                if (!way_fits(way, pattern))
                    continue;
                expect(array_open(&array, way, &memory, SEED) == DM_OK);
                array_fill(&array, SEED);
                array_place(&array);
                uint32_t sum = pattern_run(&array, pattern, REPEATS, SEED);
                expect(pattern_wrong(&array, pattern, REPEATS, SEED, sum) == 0);
            }
    ways_memory_close(&memory);
}

/* As if the array were longer than the values' period. */
static void short_page_locked_memory_is_copied_several_times(void)
{
    struct ways_memory memory;
    struct array array;

    ways_memory_open(&memory, COUNT);
    memory.pinned_count = COUNT / 3;
    expect(array_open(&array, WAY_ZERO_COPY, &memory, SEED) == DM_NO_MEMORY);
    expect(array_open(&array, WAY_EXPLICIT, &memory, SEED) == DM_OK);
    array_place(&array);
    uint32_t expected = 0, sum = pattern_run(&array, PATTERN_READ_ONCE, 1, SEED);
    for (size_t i = 0; i < COUNT; i++)
        expected += access_value(i % memory.pinned_count, SEED);
    expect(sum == expected);
    ways_memory_close(&memory);
}

static void the_total_is_the_sum(void)
{
    for (size_t count = 1; count < 40; count++) {
        uint32_t sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += access_value(i, SEED);
        expect(access_total(count, SEED) == sum);
    }
    /* The values begin again after 2^32 elements, whose sum is that of 2^31 times one number. */
    const size_t period = (size_t)1 << 32;
    expect(access_total(period, SEED) == access_value(1, 0) << 31);
    expect(access_total(period + 5, SEED) == access_total(period, SEED) + access_total(5, SEED));
}

static void random_elements_are_within_the_array(void)
{
    size_t low = SIZE_MAX, high = 0, odd = 0;

    for (uint32_t k = 0; k < 100000; k++) {
        const size_t count = (size_t)1 << 34, i = access_index(k, SEED, count);
        expect(i < count && access_index(k, SEED, COUNT) < COUNT);
        low = i < low ? i : low;
        high = i > high ? i : high;
        odd += i & 1;
    }
    expect(low < (size_t)1 << 20 && high > ((size_t)1 << 34) - ((size_t)1 << 20));
    expect(odd > 49000 && odd < 51000);
}

static void wrong_sums_and_elements_are_seen(void)
{
    struct ways_memory memory;
    struct array array;

    ways_memory_open(&memory, 5000);
    expect(array_open(&array, WAY_EXPLICIT, &memory, 1) == DM_OK);
    array_place(&array);
    uint32_t sum = pattern_run(&array, PATTERN_READ_ONCE, 1, 1);
    expect(pattern_wrong(&array, PATTERN_READ_ONCE, 1, 1, sum + 1) == 1);
    array_fill(&array, 1);
    pattern_run(&array, PATTERN_PING_PONG, 2, 1);
    array.host[4096]--;
    expect(pattern_wrong(&array, PATTERN_PING_PONG, 2, 1, 0) == 1);
    expect(pattern_wrong(&array, PATTERN_PING_PONG, 3, 1, 0) == 5000);
    ways_memory_close(&memory);
}

int main(void)
{
    run_test(every_way_is_right);
    run_test(short_page_locked_memory_is_copied_several_times);
    run_test(the_total_is_the_sum);
    run_test(random_elements_are_within_the_array);
    run_test(wrong_sums_and_elements_are_seen);
    return end_tests();
}
