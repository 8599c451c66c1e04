/* intervals.h against sets of one flag per element. */
#include "intervals_test.h"

#include <stdlib.h>

#include "tests/unit/test_status.h"

enum { ROUNDS = 3000 };

/* Lists intervals from begin, end, begin, end, ... */
static struct partition_intervals listed(size_t count, const int64_t *limits)
{
    struct partition_intervals set = {0};
    for (size_t i = 0; i < count; i++)
        expect_ok(partition_intervals_push(&set, limits[2 * i], limits[2 * i + 1]));
    partition_intervals_normalise(&set);
    return set;
}

static void adjacent_and_overlapping_intervals_merge(void)
{
    int64_t limits[] = {11, 21, 0, 11, 30, 40, 35, 36, 5, 7, 50, 50, 60, 55};
    struct partition_intervals set = listed(7, limits);
    expect(set.count == 2);
    expect(set.items[0].begin == 0 && set.items[0].end == 21);
    expect(set.items[1].begin == 30 && set.items[1].end == 40);
    expect(intervals_total(&set) == 31);
    partition_intervals_free(&set);
    expect(!set.items && set.count == 0);
}

static void pushed_intervals_stay_apart_until_normalised(void)
{
    struct partition_intervals set = {0};
    for (int row = 0; row < 17; row++)
        expect_ok(partition_intervals_push(&set, 32 * row, 32 * row + 32));
    expect(set.count == 17);
    partition_intervals_normalise(&set);
    expect(set.count == 1);
    partition_intervals_free(&set);
}

static void random_pieces_in_any_order(void)
{
    struct partition_intervals set = {0};
    for (int round = 0; round < ROUNDS; round++) {
        bool flags[FLAGS] = {0};
        set.count = 0;
        for (int i = 0; i < 8; i++) {
            int64_t begin = next_random(FLAGS), end = begin + next_random(FLAGS - (uint64_t)begin);
            expect_ok(partition_intervals_push(&set, begin, end));
            for (int64_t k = begin; k < end; k++)
                flags[k] = true;
        }
        partition_intervals_normalise(&set);
        expect(has_flags(&set, flags));
    }
    partition_intervals_free(&set);
}

struct operands {
    bool a_flags[FLAGS], b_flags[FLAGS];
    struct partition_intervals a, b, out;
};

static void draw(struct operands *sets)
{
    uint64_t longest = next_random(2) ? 4 : 40;
    random_flags(sets->a_flags, longest);
    random_flags(sets->b_flags, 8);
    expect_ok(set_of_flags(&sets->a, sets->a_flags));
    expect_ok(set_of_flags(&sets->b, sets->b_flags));
}

static void release(struct operands *sets)
{
    partition_intervals_free(&sets->a);
    partition_intervals_free(&sets->b);
    partition_intervals_free(&sets->out);
}

static void union_intersection_difference(void)
{
    struct operands sets = {0};
    for (int round = 0; round < ROUNDS; round++) {
        draw(&sets);
        bool either[FLAGS], both[FLAGS], only[FLAGS];
        for (int i = 0; i < FLAGS; i++) {
            either[i] = sets.a_flags[i] || sets.b_flags[i];
            both[i] = sets.a_flags[i] && sets.b_flags[i];
            only[i] = sets.a_flags[i] && !sets.b_flags[i];
        }
        expect_ok(intervals_union(&sets.out, &sets.a, &sets.b));
        expect(has_flags(&sets.out, either));
        expect_ok(intervals_intersect(&sets.out, &sets.a, &sets.b));
        expect(has_flags(&sets.out, both));
        expect_ok(intervals_subtract(&sets.out, &sets.a, &sets.b));
        expect(has_flags(&sets.out, only));
        expect_ok(intervals_copy(&sets.out, &sets.a));
        expect(intervals_equal(&sets.out, &sets.a));
        expect_ok(intervals_add(&sets.out, &sets.b));
        expect(has_flags(&sets.out, either));
        expect_ok(intervals_remove(&sets.out, &sets.b));
        expect(has_flags(&sets.out, only));
    }
    release(&sets);
}

static void empty_operands(void)
{
    struct partition_intervals empty = {0}, out = {0};
    struct partition_intervals set = listed(2, (int64_t[]){0, 4, 8, 9});
    expect_ok(intervals_union(&out, &empty, &set));
    expect(intervals_equal(&out, &set));
    expect_ok(intervals_subtract(&out, &set, &empty));
    expect(intervals_equal(&out, &set));
    expect_ok(intervals_subtract(&out, &empty, &set));
    expect(out.count == 0);
    expect_ok(intervals_intersect(&out, &empty, &set));
    expect(out.count == 0);
    expect_ok(intervals_copy(&out, &empty));
    expect(out.count == 0);
    expect(intervals_equal(&empty, &out));
    expect(!intervals_equal(&empty, &set));
    expect(intervals_total(&empty) == 0);
    partition_intervals_free(&set);
    partition_intervals_free(&out);
}

static void elements_become_bytes(void)
{
    struct partition_intervals out = {0};
    struct partition_intervals set = listed(2, (int64_t[]){0, 4, 8, 9});
    expect_ok(intervals_scale(&out, &set, 4, 100));
    expect(out.count == 2);
    expect(out.items[0].begin == 100 && out.items[0].end == 116);
    expect(out.items[1].begin == 132 && out.items[1].end == 136);
    expect_error(intervals_scale(&out, &set, INT64_MAX / 4, 0), DM_INVALID, "beyond 64 bits");
    expect_error(intervals_scale(&out, &set, 1, INT64_MAX - 1), DM_INVALID, "beyond 64 bits");
    partition_intervals_free(&set);
    partition_intervals_free(&out);
}

static void hashes_tell_sets_apart(void)
{
    struct operands sets = {0};
    for (int round = 0; round < ROUNDS; round++) {
        draw(&sets);
        expect(intervals_equal(&sets.a, &sets.b) ==
               (intervals_hash(&sets.a, 1) == intervals_hash(&sets.b, 1)));
        expect_ok(intervals_copy(&sets.out, &sets.a));
        expect(intervals_hash(&sets.out, 1) == intervals_hash(&sets.a, 1));
        expect(intervals_hash(&sets.a, 2) != intervals_hash(&sets.a, 1));
    }
    release(&sets);
}

/* ---- strided runs ---- */

/* Fewest runs of equal length and distance in the first `count` intervals, by
 * trying all. */
static size_t fewest_runs(const struct partition_intervals *set)
{
    size_t fewest[FLAGS + 1] = {0};
    for (size_t end = 1; end <= set->count; end++) {
        fewest[end] = FLAGS;
        for (size_t begin = end; begin-- > 0;) {
            const struct partition_range *items = set->items;
            bool is_run = true;
            for (size_t i = begin + 1; i < end; i++)
                is_run = is_run &&
                         items[i].end - items[i].begin == items[begin].end - items[begin].begin &&
                         items[i].begin - items[i - 1].begin ==
                             items[begin + 1].begin - items[begin].begin;
            if (is_run && fewest[begin] + 1 < fewest[end])
                fewest[end] = fewest[begin] + 1;
        }
    }
    return fewest[set->count];
}

static void runs_are_few_and_hold_the_set(void)
{
    struct operands sets = {0};
    for (int round = 0; round < ROUNDS; round++) {
        draw(&sets);
        struct partition_runs *runs;
        size_t count;
        expect_ok(intervals_strided(&sets.a, &runs, &count));
        expect(count == fewest_runs(&sets.a));
        sets.out.count = 0;
        for (size_t i = 0; i < count; i++) {
            expect(runs[i].stride >= runs[i].length && runs[i].length > 0 && runs[i].count > 0);
            for (int64_t k = 0; k < runs[i].count; k++)
                expect_ok(
                    partition_intervals_push(&sets.out, runs[i].begin + k * runs[i].stride,
                                             runs[i].begin + k * runs[i].stride + runs[i].length));
        }
        expect(intervals_equal(&sets.out, &sets.a)); /* in order, nothing twice */
        free(runs);
    }
    release(&sets);
}

static void a_column_is_one_run(void)
{
    struct partition_intervals set = {0};
    for (int64_t row = 0; row < 1000; row++)
        expect_ok(partition_intervals_push(&set, 4 * (7 + 4096 * row), 4 * (8 + 4096 * row)));
    struct partition_runs *runs;
    size_t count;
    expect_ok(intervals_strided(&set, &runs, &count));
    expect(count == 1);
    expect(runs[0].begin == 28 && runs[0].length == 4);
    expect(runs[0].count == 1000 && runs[0].stride == 4 * 4096);
    free(runs);
    set.count = 0;
    expect_ok(intervals_strided(&set, &runs, &count));
    expect(count == 0 && !runs);
    partition_intervals_free(&set);
}

int main(void)
{
    run_test(adjacent_and_overlapping_intervals_merge);
    run_test(pushed_intervals_stay_apart_until_normalised);
    run_test(random_pieces_in_any_order);
    run_test(union_intersection_difference);
    run_test(empty_operands);
    run_test(elements_become_bytes);
    run_test(hashes_tell_sets_apart);
    run_test(runs_are_few_and_hold_the_set);
    run_test(a_column_is_one_run);
    return end_tests();
}
