/* partition_states: what programs do with a buffer, and what is refused. */
#include <string.h>

#include <datamotion/partition.h>

#include "tests/unit/test_status.h"

enum { BYTES = 96 };

static struct partition_states *new_states(int devices)
{
    struct partition_states *states;
    expect_ok(partition_states_create(&states, devices, BYTES));
    return states;
}

/* ---- what programs do ---- */

static struct partition_intervals span(int64_t begin, int64_t end)
{
    struct partition_intervals set = {0};
    expect_ok(partition_intervals_push(&set, begin, end));
    return set;
}

/* Four devices with 24 bytes each, of which each needs one more byte from both
 * sides. */
static struct partition_transition stencil_step(struct partition_states *table,
                                                const struct partition_state *state)
{
    struct partition_intervals reads[4], writes[4];
    struct partition_transition step;
    for (int d = 0; d < 4; d++) {
        reads[d] = span(d > 0 ? 24 * d - 1 : 0, d < 3 ? 24 * d + 25 : BYTES);
        writes[d] = span(24 * d, 24 * d + 24);
    }
    expect_ok(partition_states_launch(table, state, reads, writes, true, 1, &step));
    for (int d = 0; d < 4; d++) {
        partition_intervals_free(&reads[d]);
        partition_intervals_free(&writes[d]);
    }
    return step;
}

static void repeated_launches_come_back_to_known_states(void)
{
    struct partition_states *table = new_states(4);
    struct partition_intervals all = span(0, BYTES);
    const struct partition_state *on_host;
    expect_ok(partition_states_written(table, partition_states_initial(table), 4, &all, &on_host));
    struct partition_transition first = stencil_step(table, on_host);
    expect(first.copy_count == 4); /* all from the host */
    struct partition_transition second = stencil_step(table, first.next);
    expect(second.next == first.next);
    expect(second.copy_count == 6); /* both neighbours of each inner border */
    expect(second.copies[0].from == 1 && second.copies[0].to == 0);
    expect(second.copies[0].bytes.begin == 24 && second.copies[0].bytes.length == 1);
    size_t states = partition_states_count(table);
    struct partition_transition third = stencil_step(table, second.next);
    expect(third.next == second.next && partition_states_count(table) == states);
    partition_transition_free(&first);
    partition_transition_free(&second);
    partition_transition_free(&third);
    partition_intervals_free(&all);
    partition_states_destroy(table);
}

static void readers_ask_different_devices(void)
{
    struct partition_states *table = new_states(4);
    struct partition_intervals all = span(0, BYTES);
    struct partition_transition step;
    const struct partition_state *state;
    expect_ok(partition_states_written(table, partition_states_initial(table), 0, &all, &state));
    for (int location = 1; location <= 4; location += 3) {
        expect_ok(partition_states_fetch(table, state, location, &all, &step));
        state = step.next;
        partition_transition_free(&step);
    }
    int source[2];
    for (int d = 2; d < 4; d++) {
        expect_ok(partition_states_fetch(table, state, d, &all, &step));
        expect(step.copy_count == 1);
        source[d - 2] = step.copies[0].from;
        partition_transition_free(&step);
    }
    expect(source[0] == 0 && source[1] == 0); /* never the host, which is location 4 */
    expect(partition_states_at(state, 4)->count == 1);
    partition_intervals_free(&all);
    partition_states_destroy(table);
}

/* ---- what is refused ---- */

static void two_writers_of_a_byte(void)
{
    struct partition_states *table = new_states(3);
    struct partition_intervals none[3] = {{0}},
                               writes[3] = {span(0, 10), span(10, 20), span(19, 30)};
    struct partition_transition step;
    expect_error(partition_states_launch(table, partition_states_initial(table), none, writes, true,
                                         1, &step),
                 DM_INVALID, "devices 1 and 2 both write byte 19");
    expect(!step.copies && !step.next && step.copy_count == 0);
    for (int d = 0; d < 3; d++)
        partition_intervals_free(&writes[d]);
    partition_states_destroy(table);
}

static void accesses_outside_of_the_buffer(void)
{
    struct partition_states *table = new_states(1);
    struct partition_intervals none = {0}, inside = span(0, BYTES), behind = span(90, BYTES + 1),
                               before = span(-1, 4);
    struct partition_transition step;
    const struct partition_state *state = partition_states_initial(table);
    expect_ok(partition_states_launch(table, state, &none, &inside, true, 1, &step));
    partition_transition_free(&step);
    expect_error(partition_states_launch(table, state, &none, &behind, true, 1, &step), DM_INVALID,
                 "bytes 90 to 97 are accessed of a buffer that has 96 bytes");
    expect_error(partition_states_launch(table, state, &before, &none, true, 1, &step), DM_INVALID,
                 "bytes -1 to 4");
    expect_error(partition_states_fetch(table, state, 0, &behind, &step), DM_INVALID, "96 bytes");
    expect_error(partition_states_fetch(table, state, 2, &inside, &step), DM_INVALID,
                 "location 2: devices are 0 to 0, and the host is 1");
    expect_error(partition_states_written(table, state, -1, &inside, &state), DM_INVALID,
                 "location -1");
    expect_error(partition_states_written(table, state, 0, &behind, &state), DM_INVALID,
                 "96 bytes");
    expect(state == partition_states_initial(table));
    expect_error(partition_states_launch(table, state, &none, &inside, false, 0, &step), DM_INVALID,
                 "copies of 0 bytes each");
    partition_intervals_free(&inside);
    partition_intervals_free(&behind);
    partition_intervals_free(&before);
    partition_states_destroy(table);
}

static void tables_that_cannot_be(void)
{
    struct partition_states *table;
    expect_error(partition_states_create(&table, 0, BYTES), DM_INVALID, "0 devices: 1 to 64");
    expect_error(partition_states_create(&table, PARTITION_MAX_DEVICES + 1, BYTES), DM_INVALID,
                 "65 devices");
    expect_error(partition_states_create(&table, 1, -1), DM_INVALID, "-1 bytes");
    expect(!table);
    expect_ok(partition_states_create(&table, PARTITION_MAX_DEVICES, 0));
    expect(table && partition_states_count(table) == 1);
    partition_states_destroy(table);
    partition_states_destroy(NULL);
}

int main(void)
{
    run_test(repeated_launches_come_back_to_known_states);
    run_test(readers_ask_different_devices);
    run_test(two_writers_of_a_byte);
    run_test(accesses_outside_of_the_buffer);
    run_test(tables_that_cannot_be);
    return end_tests();
}
