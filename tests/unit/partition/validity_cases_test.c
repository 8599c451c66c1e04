/* validity.h: what programs do with a buffer, and what is refused. */
#include <string.h>

#include "partition/validity.h"
#include "tests/unit/test.h"

enum { BYTES = 96 };

static char reason[PARTITION_REASON];

/* ---- what programs do ---- */

static struct intervals span(int64_t begin, int64_t end)
{
    struct intervals set = {0};
    expect(intervals_push(&set, begin, end));
    return set;
}

/* Four devices with 24 bytes each, of which each needs one more byte from both
 * sides. */
static struct transition stencil_step(struct validity_table *table, const struct validity *state)
{
    struct intervals reads[4], writes[4];
    struct transition step;
    for (int d = 0; d < 4; d++) {
        reads[d] = span(d > 0 ? 24 * d - 1 : 0, d < 3 ? 24 * d + 25 : BYTES);
        writes[d] = span(24 * d, 24 * d + 24);
    }
    expect(validity_launch(table, state, reads, writes, true, 1, &step, reason));
    for (int d = 0; d < 4; d++) {
        intervals_free(&reads[d]);
        intervals_free(&writes[d]);
    }
    return step;
}

static void repeated_launches_come_back_to_known_states(void)
{
    struct validity_table *table = validity_create(4, BYTES);
    struct intervals all = span(0, BYTES);
    const struct validity *on_host = validity_written(table, validity_initial(table), 4, &all);
    struct transition first = stencil_step(table, on_host);
    expect(first.copy_count == 4); /* all from the host */
    struct transition second = stencil_step(table, first.next);
    expect(second.next == first.next);
    expect(second.copy_count == 6); /* both neighbours of each inner border */
    expect(second.copies[0].from == 1 && second.copies[0].to == 0);
    expect(second.copies[0].bytes.begin == 24 && second.copies[0].bytes.length == 1);
    size_t states = validity_states(table);
    struct transition third = stencil_step(table, second.next);
    expect(third.next == second.next && validity_states(table) == states);
    transition_free(&first);
    transition_free(&second);
    transition_free(&third);
    intervals_free(&all);
    validity_destroy(table);
}

static void readers_ask_different_devices(void)
{
    struct validity_table *table = validity_create(4, BYTES);
    struct intervals all = span(0, BYTES);
    struct transition step;
    const struct validity *state = validity_written(table, validity_initial(table), 0, &all);
    for (int location = 1; location <= 4; location += 3) {
        expect(validity_fetch(table, state, location, &all, &step, reason));
        state = step.next;
        transition_free(&step);
    }
    int source[2];
    for (int d = 2; d < 4; d++) {
        expect(validity_fetch(table, state, d, &all, &step, reason) && step.copy_count == 1);
        source[d - 2] = step.copies[0].from;
        transition_free(&step);
    }
    expect(source[0] == 0 && source[1] == 0); /* never the host, which is location 4 */
    expect(validity_at(state, 4)->count == 1);
    intervals_free(&all);
    validity_destroy(table);
}

/* ---- what is refused ---- */

static void two_writers_of_a_byte(void)
{
    struct validity_table *table = validity_create(3, BYTES);
    struct intervals none[3] = {{0}}, writes[3] = {span(0, 10), span(10, 20), span(19, 30)};
    struct transition step;
    expect(!validity_launch(table, validity_initial(table), none, writes, true, 1, &step, reason));
    expect(strstr(reason, "devices 1 and 2 both write byte 19") != NULL);
    expect(!step.copies && !step.next && step.copy_count == 0);
    for (int d = 0; d < 3; d++)
        intervals_free(&writes[d]);
    validity_destroy(table);
}

static void accesses_outside_of_the_buffer(void)
{
    struct validity_table *table = validity_create(1, BYTES);
    struct intervals none = {0}, inside = span(0, BYTES), behind = span(90, BYTES + 1),
                     before = span(-1, 4);
    struct transition step;
    const struct validity *state = validity_initial(table);
    expect(validity_launch(table, state, &none, &inside, true, 1, &step, reason));
    transition_free(&step);
    expect(!validity_launch(table, state, &none, &behind, true, 1, &step, reason));
    expect(strstr(reason, "has 96 bytes") != NULL);
    expect(!validity_launch(table, state, &before, &none, true, 1, &step, reason));
    expect(!validity_fetch(table, state, 0, &behind, &step, reason));
    expect(!validity_launch(table, state, &none, &inside, false, 0, &step, reason));
    expect(strstr(reason, "0 bytes") != NULL);
    intervals_free(&inside);
    intervals_free(&behind);
    intervals_free(&before);
    validity_destroy(table);
}

static void tables_that_cannot_be(void)
{
    expect(!validity_create(0, BYTES));
    expect(!validity_create(PARTITION_MAX_DEVICES + 1, BYTES));
    expect(!validity_create(1, -1));
    struct validity_table *table = validity_create(PARTITION_MAX_DEVICES, 0);
    expect(table && validity_states(table) == 1);
    validity_destroy(table);
    validity_destroy(NULL);
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
