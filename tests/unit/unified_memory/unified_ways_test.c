/* unified_ways_test.c: every way to bring an array to the device gives the right results with every
 * pattern of access, and wrong ones are seen. */
#include "tests/unit/test.h"
#include "unified_memory/ways.h"

static void every_way_is_right(void)
{
    enum { COUNT = 70001, SEED = 3, REPEATS = 2 };

    for (int way = 0; way < WAYS; way++) {
        struct array array;
        array_open(&array, way, COUNT, SEED);
        for (int pattern = 0; pattern < PATTERNS; pattern++)
            for (int time = 0; time < 2; time++) { /* advice is taken back and given again */
                array_fill(&array, SEED);
                array_place(&array);
                uint32_t sum = pattern_run(&array, pattern, REPEATS, SEED);
                expect(pattern_wrong(&array, pattern, REPEATS, SEED, sum) == 0);
            }
        array_close(&array);
    }
}

static void wrong_sums_and_elements_are_seen(void)
{
    struct array array;

    array_open(&array, WAY_EXPLICIT, 5000, 1);
    uint32_t sum = pattern_run(&array, PATTERN_READ_ONCE, 1, 1);
    expect(pattern_wrong(&array, PATTERN_READ_ONCE, 1, 1, sum + 1) == 1);
    array_fill(&array, 1);
    pattern_run(&array, PATTERN_PING_PONG, 2, 1);
    array.host[4096]--;
    expect(pattern_wrong(&array, PATTERN_PING_PONG, 2, 1, 0) == 1);
    expect(pattern_wrong(&array, PATTERN_PING_PONG, 3, 1, 0) == 5000);
    array_close(&array);
}

int main(void)
{
    run_test(every_way_is_right);
    run_test(wrong_sums_and_elements_are_seen);
    return end_tests();
}
