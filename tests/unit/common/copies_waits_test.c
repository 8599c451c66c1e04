/* The order of a pipeline's operations, judged without executing it: on random regions every two
 * operations that use the same memory must be ordered by streams and waits, and no operation may
 * wait for one with which it shares no memory. */
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "common/regions/waits.h"
#include "tests/unit/test.h"

/* ---- random regions ---- */

static uint64_t draws;

static long draw(long below)
{
    return (long)random_below(7, draws++, (uint64_t)below);
}

static struct dm_region_array draw_array(long end)
{
    struct dm_region_array array = {.rows = 1, .slice_bytes = 4, .host = malloc(1)};
    array.direction = (enum dm_region_direction)draw(4);
    array.split = draw(5) == 0 ? DM_REGION_WHOLE : draw(2) ? DM_REGION_ROWS : DM_REGION_COLUMNS;
    array.length = array.direction & DM_REGION_FROM ? 1 : 1 + draw(4);
    array.offset = draw(4);
    array.slices = array.split == DM_REGION_WHOLE ? 1 : end + array.offset + array.length + draw(3);
    return array;
}

static struct dm_region draw_region(void)
{
    long begin = draw(3), end = begin + 1 + draw(14);
    struct dm_region region = dm_region_make("random", begin, end, NULL, NULL);
    for (long arrays = 1 + draw(3); arrays > 0; arrays--)
        dm_region_add(&region, draw_array(end));
    region.ordered = draw(3) == 0;
    region.rounds = 1 + draw(4);
    if (draw(2)) {
        struct dm_region_array to = draw_array(end), from = to;
        to.direction = DM_REGION_TO;
        from.direction = DM_REGION_FROM;
        from.length = 1;
        from.offset = draw(to.offset + 2);
        from.host = malloc(1);
        from.slices = to.slices = to.split == DM_REGION_WHOLE ? 1 : end + 12;
        region.swap[0] = dm_region_add(&region, to);
        region.swap[1] = dm_region_add(&region, from);
    }
    return region;
}

static void free_region(struct dm_region *region)
{
    for (int a = 0; a < region->array_count; a++)
        free(region->arrays[a].host);
}

/* ---- what operations use ---- */

struct schedule {
    struct copies_schedule s;
    int streams;
};

/* Slices of an array that a stage of a task uses on the device. */
static struct chunk_range slices_of(const struct schedule *schedule, long task,
                                    enum copies_stage stage, int array)
{
    const struct chunks *chunks = &schedule->s.chunks;
    const struct dm_region_array *a = &schedule->s.region->arrays[array];
    long chunk = task % chunks->count;
    if (stage == COPIES_KERNEL)
        return chunk_window(chunks, a, chunk);
    if (stage == COPIES_IN && a->direction & DM_REGION_TO)
        return chunk_new_slices(chunks, a, chunk);
    if (stage == COPIES_OUT && a->direction & DM_REGION_FROM)
        return chunk_finished_slices(chunks, a, chunk);
    return (struct chunk_range){0, 0};
}

static bool writes_device(enum copies_stage stage, const struct dm_region_array *array)
{
    return stage == COPIES_IN || (stage == COPIES_KERNEL && array->direction != DM_REGION_TO);
}

static bool share_slot(const struct ring *ring, struct chunk_range a, struct chunk_range b)
{
    for (long i = a.first; i < a.end; i++)
        for (long j = b.first; j < b.end; j++)
            if (i % ring->capacity == j % ring->capacity)
                return true;
    return false;
}

/* Kernels of a round write different parts of an array that is no scratch. */
static bool device_conflict(const struct schedule *schedule, long task, enum copies_stage stage,
                            long other, enum copies_stage other_stage)
{
    const struct dm_region *region = schedule->s.region;
    for (int a = 0; a < region->array_count; a++) {
        const struct dm_region_array *array = &region->arrays[a];
        if (!writes_device(stage, array) && !writes_device(other_stage, array))
            continue;
        if (stage == COPIES_KERNEL && other_stage == COPIES_KERNEL &&
            array->direction != DM_REGION_SCRATCH)
            continue;
        if (share_slot(&schedule->s.rings[a], slices_of(schedule, task, stage, a),
                       slices_of(schedule, other, other_stage, a)))
            return true;
    }
    return false;
}

static bool host_conflict(const struct schedule *schedule, long task, enum copies_stage stage,
                          long other, enum copies_stage other_stage)
{
    const struct dm_region *region = schedule->s.region;
    long chunks = schedule->s.chunks.count;
    if (stage == COPIES_KERNEL || other_stage == COPIES_KERNEL ||
        (stage == COPIES_IN && other_stage == COPIES_IN))
        return false;
    for (int a = 0; a < region->array_count; a++)
        for (int b = 0; b < region->array_count; b++) {
            struct chunk_range x = slices_of(schedule, task, stage, a);
            struct chunk_range y = slices_of(schedule, other, other_stage, b);
            if (dm_region_host(region, a, task / chunks) ==
                    dm_region_host(region, b, other / chunks) &&
                x.first < y.end && y.first < x.end && x.first < x.end && y.first < y.end)
                return true;
        }
    return false;
}

static bool conflict(const struct schedule *schedule, long task, enum copies_stage stage,
                     long other, enum copies_stage other_stage)
{
    bool chained = schedule->s.chunks.chained && stage == COPIES_KERNEL &&
                   other_stage == COPIES_KERNEL && other == task - 1;
    return chained || device_conflict(schedule, task, stage, other, other_stage) ||
           host_conflict(schedule, task, stage, other, other_stage);
}

/* ---- the checks ---- */

enum { TASKS_MAX = 64, STREAMS_MAX = 5 };

static int stream_of(const struct schedule *schedule, long task, enum copies_stage stage)
{
    if (stage == COPIES_KERNEL)
        return (int)(task % schedule->streams);
    return stage == COPIES_IN ? STREAMS_MAX : STREAMS_MAX + 1;
}

/* after[position][s]: latest position on stream s that is known to be over before this one. */
static long after[TASKS_MAX * COPIES_STAGES][STREAMS_MAX + 2];

static void merge(long *into, const long *from)
{
    for (int s = 0; s < STREAMS_MAX + 2; s++)
        if (into[s] < from[s])
            into[s] = from[s];
}

static void order_after(const struct schedule *schedule, long *latest, long task,
                        enum copies_stage stage)
{
    long position = task * COPIES_STAGES + stage;
    int stream = stream_of(schedule, task, stage);
    merge(latest, after[position]);
    if (latest[stream] < position)
        latest[stream] = position;
}

static void compute_order(const struct schedule *schedule, long task, enum copies_stage stage)
{
    struct copies_wait waits[COPIES_WAITS_MAX];
    long *latest = after[task * COPIES_STAGES + stage];
    long before = task - (stage == COPIES_KERNEL ? schedule->streams : 1);
    memset(latest, -1, sizeof after[0]);
    if (before >= 0)
        order_after(schedule, latest, before, stage);
    int count = copies_waits(&schedule->s, task, stage, waits);
    for (int i = 0; i < count; i++)
        for (long t = waits[i].first; t <= waits[i].last; t++) {
            expect(t >= 0 && t < task + (waits[i].stage < stage));
            expect(conflict(schedule, task, stage, t, waits[i].stage));
            order_after(schedule, latest, t, waits[i].stage);
        }
}

static void check_against_earlier(const struct schedule *schedule, long task,
                                  enum copies_stage stage)
{
    const long *latest = after[task * COPIES_STAGES + stage];
    for (long position = 0; position < task * COPIES_STAGES + stage; position++) {
        long other = position / COPIES_STAGES;
        enum copies_stage s = (enum copies_stage)(position % COPIES_STAGES);
        expect(latest[stream_of(schedule, other, s)] >= position ||
               !conflict(schedule, task, stage, other, s));
    }
}

static void conflicts_are_ordered_and_waits_needed(void)
{
    for (int i = 0; i < 3000; i++) {
        struct dm_region region = draw_region();
        struct schedule schedule = {.streams = 1 + (int)draw(STREAMS_MAX)};
        schedule.s = copies_schedule_make(&region, 1 + draw(6), schedule.streams);
        long tasks = region.rounds * schedule.s.chunks.count;
        for (long task = 0; task < tasks && task < TASKS_MAX; task++)
            for (enum copies_stage stage = COPIES_IN; stage < COPIES_STAGES; stage++) {
                compute_order(&schedule, task, stage);
                check_against_earlier(&schedule, task, stage);
            }
        free_region(&region);
    }
}

/* ---- chunks and rings ---- */

static bool touches(const struct dm_region_array *array, struct chunk_range iterations, long slice)
{
    for (long i = iterations.first; i < iterations.end; i++)
        if (array->split == DM_REGION_WHOLE ||
            (slice >= i + array->offset && slice < i + array->offset + array->length))
            return true;
    return false;
}

static void check_slice(const struct chunks *chunks, const struct dm_region_array *array,
                        long slice)
{
    long first = -1, last = -1;
    for (long c = 0; c < chunks->count; c++)
        if (touches(array, chunk_iterations(chunks, c), slice)) {
            first = first < 0 ? c : first;
            last = c;
        }
    expect(first_chunk_of(chunks, array, slice) == first);
    expect(last_chunk_of(chunks, array, slice) == last);
    for (long c = 0; c < chunks->count; c++) {
        struct chunk_range fresh = chunk_new_slices(chunks, array, c);
        struct chunk_range done = chunk_finished_slices(chunks, array, c);
        expect((slice >= fresh.first && slice < fresh.end) == (c == first));
        expect((slice >= done.first && slice < done.end) == (c == last));
    }
}

static void chunks_touch_slices_as_counted(void)
{
    for (int i = 0; i < 400; i++) {
        struct dm_region region = draw_region();
        struct chunks chunks = chunks_make(&region, 1 + draw(20));
        expect(chunk_iterations(&chunks, 0).first == region.begin);
        expect(chunk_iterations(&chunks, chunks.count - 1).end == region.end);
        for (int a = 0; a < region.array_count; a++) {
            struct chunk_range used = loop_window(&chunks, &region.arrays[a]);
            for (long slice = used.first; slice < used.end; slice++)
                check_slice(&chunks, &region.arrays[a], slice);
        }
        free_region(&region);
    }
}

static void a_chunk_may_be_as_long_as_the_loop(void)
{
    struct dm_region region = dm_region_make("long", 3, 9, NULL, NULL);
    struct chunks chunks = chunks_make(&region, INT64_MAX);
    expect(chunks.size == 6 && chunks.count == 1);
    chunks = chunks_make(&region, 4);
    expect(chunks.size == 4 && chunks.count == 2);
    expect(chunk_iterations(&chunks, 1).first == 7 && chunk_iterations(&chunks, 1).end == 9);
}

static void rings_have_room_for_all_streams(void)
{
    struct dm_region region = dm_region_make("ring", 1, 101, NULL, NULL);
    struct dm_region_array array = {
        .split = DM_REGION_ROWS, .offset = -1, .length = 3, .slices = 102};
    struct chunks chunks = chunks_make(&region, 1);
    expect(ring_make(&chunks, &array, 3).capacity == 5); /* Cui, 3.3 */
    chunks = chunks_make(&region, 10);
    expect(ring_make(&chunks, &array, 4).capacity == 42);
    expect(ring_make(&chunks, &array, 64).capacity == 102);
    array.split = DM_REGION_WHOLE;
    expect(ring_make(&chunks, &array, 4).capacity == 1);
}

/* A table of what lies in each slot, filled slice by slice, against the arithmetic. */
static void replaced_slices_are_those_of_a_table(void)
{
    for (int i = 0; i < 200; i++) {
        struct ring ring = {.used = {draw(5), 0}};
        ring.used.end = ring.used.first + 1 + draw(20);
        ring.capacity = 1 + draw(ring.used.end - ring.used.first);
        long slot_slice[32], slot_round[32];
        memset(slot_round, -1, sizeof slot_round);
        for (long round = 0; round < 3; round++)
            for (long slice = ring.used.first; slice < ring.used.end; slice++) {
                struct ring_span spans[RING_SPANS];
                struct chunk_range one = {slice, slice + 1};
                long slot = ring_slot(&ring, slice);
                int count = ring_replaced(&ring, round, one, spans);
                expect(count == (slot_round[slot] >= 0));
                expect(count == 0 || (spans[0].round == slot_round[slot] &&
                                      spans[0].slices.first == slot_slice[slot] &&
                                      spans[0].slices.end == slot_slice[slot] + 1));
                slot_slice[slot] = slice;
                slot_round[slot] = round;
            }
    }
}

static void pieces_end_at_the_end_of_the_ring(void)
{
    struct ring ring = {{0, 100}, 7};
    struct chunk_range piece = ring_piece(&ring, (struct chunk_range){12, 18});
    expect(piece.first == 12 && piece.end == 14);
    piece = ring_piece(&ring, (struct chunk_range){14, 18});
    expect(piece.first == 14 && piece.end == 18);
    piece = ring_piece(&ring, (struct chunk_range){14, 21});
    expect(piece.end == 21);
}

int main(void)
{
    run_test(chunks_touch_slices_as_counted);
    run_test(a_chunk_may_be_as_long_as_the_loop);
    run_test(rings_have_room_for_all_streams);
    run_test(replaced_slices_are_those_of_a_table);
    run_test(pieces_end_at_the_end_of_the_ring);
    run_test(conflicts_are_ordered_and_waits_needed);
    return end_tests();
}
