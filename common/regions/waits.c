#include "common/regions/waits.h"

struct copies_schedule copies_schedule_make(const struct dm_region *region, long chunk_size,
                                            int streams)
{
    struct copies_schedule schedule = {.region = region, .chunks = chunks_make(region, chunk_size)};
    for (int a = 0; a < region->array_count; a++)
        schedule.rings[a] = ring_make(&schedule.chunks, &region->arrays[a], streams);
    return schedule;
}

/* The waits of one stage of one task, as they are found. */
struct finder {
    const struct copies_schedule *schedule;
    enum copies_stage stage;
    long task, round, chunk;
    struct copies_wait *waits;
    int count;
};

static void add(struct finder *finder, enum copies_stage stage, long round, long first_chunk,
                long last_chunk)
{
    long base = round * finder->schedule->chunks.count;
    struct copies_wait wait = {stage, base + first_chunk, base + last_chunk};
    long latest = stage < finder->stage ? finder->task : finder->task - 1;
    if (wait.last > latest)
        wait.last = latest;
    if (wait.first <= wait.last)
        finder->waits[finder->count++] = wait;
}

/* The stage `in` or `out` of the chunks of a round that copy any of these slices. */
static void add_copies(struct finder *finder, enum copies_stage stage, long round, int array,
                       struct chunk_range slices)
{
    const struct chunks *chunks = &finder->schedule->chunks;
    const struct dm_region_array *a = &finder->schedule->region->arrays[array];
    struct chunk_range used = finder->schedule->rings[array].used;
    if (slices.first < used.first)
        slices.first = used.first;
    if (slices.end > used.end)
        slices.end = used.end;
    if (slices.first >= slices.end)
        return;
    long (*chunk_of)(const struct chunks *, const struct dm_region_array *, long) =
        stage == COPIES_IN ? first_chunk_of : last_chunk_of;
    add(finder, stage, round, chunk_of(chunks, a, slices.first),
        chunk_of(chunks, a, slices.end - 1));
}

/* The kernels of a round that touch any of these slices. */
static void add_kernels(struct finder *finder, long round, int array, struct chunk_range slices)
{
    const struct chunks *chunks = &finder->schedule->chunks;
    const struct dm_region_array *a = &finder->schedule->region->arrays[array];
    add(finder, COPIES_KERNEL, round, first_chunk_of(chunks, a, slices.first),
        last_chunk_of(chunks, a, slices.end - 1));
}

/* Who uses the slots into which the slices go: for results the copies out, which come after the
 * kernels. */
static void add_slots(struct finder *finder, int array, struct chunk_range slices)
{
    struct ring_span spans[RING_SPANS];
    int count = ring_replaced(&finder->schedule->rings[array], finder->round, slices, spans);
    bool result = finder->schedule->region->arrays[array].direction & DM_REGION_FROM;
    for (int i = 0; i < count; i++)
        if (result)
            add_copies(finder, COPIES_OUT, spans[i].round, array, spans[i].slices);
        else
            add_kernels(finder, spans[i].round, array, spans[i].slices);
}

/* Who copied the same host memory the other way in the round before: `stage` is in or out. Copies
 * of a slice in the same direction follow one another, round after round, as they use the same
 * slot. */
static void add_host(struct finder *finder, int array, struct chunk_range slices,
                     enum copies_stage stage)
{
    const struct dm_region *region = finder->schedule->region;
    unsigned direction = stage == COPIES_IN ? DM_REGION_TO : DM_REGION_FROM;
    void *host = dm_region_host(region, array, finder->round);
    if (finder->round == 0)
        return;
    for (int other = 0; other < region->array_count; other++)
        if (region->arrays[other].direction & direction &&
            dm_region_host(region, other, finder->round - 1) == host)
            add_copies(finder, stage, finder->round - 1, other, slices);
}

static void find_in(struct finder *finder, int array)
{
    const struct copies_schedule *schedule = finder->schedule;
    const struct dm_region_array *a = &schedule->region->arrays[array];
    struct chunk_range slices = chunk_new_slices(&schedule->chunks, a, finder->chunk);
    if (!(a->direction & DM_REGION_TO) || slices.first >= slices.end)
        return;
    add_slots(finder, array, slices);
    add_host(finder, array, slices, COPIES_OUT);
}

static void find_kernel(struct finder *finder, int array)
{
    const struct copies_schedule *schedule = finder->schedule;
    const struct dm_region_array *a = &schedule->region->arrays[array];
    struct chunk_range window = chunk_window(&schedule->chunks, a, finder->chunk);
    if (a->direction & DM_REGION_TO)
        add_copies(finder, COPIES_IN, finder->round, array, window);
    else
        add_slots(finder, array, window);
}

static void find_out(struct finder *finder, int array)
{
    const struct copies_schedule *schedule = finder->schedule;
    const struct dm_region_array *a = &schedule->region->arrays[array];
    struct chunk_range slices = chunk_finished_slices(&schedule->chunks, a, finder->chunk);
    if (!(a->direction & DM_REGION_FROM) || slices.first >= slices.end)
        return;
    add_kernels(finder, finder->round, array, slices);
    add_host(finder, array, slices, COPIES_IN);
}

int copies_waits(const struct copies_schedule *schedule, long task, enum copies_stage stage,
                 struct copies_wait waits[COPIES_WAITS_MAX])
{
    static void (*const find[COPIES_STAGES])(struct finder *, int) = {find_in, find_kernel,
                                                                      find_out};
    struct finder finder = {.schedule = schedule,
                            .stage = stage,
                            .task = task,
                            .round = task / schedule->chunks.count,
                            .chunk = task % schedule->chunks.count,
                            .waits = waits};
    if (stage == COPIES_KERNEL && schedule->chunks.chained && task > 0)
        waits[finder.count++] = (struct copies_wait){COPIES_KERNEL, task - 1, task - 1};
    for (int a = 0; a < schedule->region->array_count; a++)
        find[stage](&finder, a);
    return finder.count;
}
