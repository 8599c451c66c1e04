/* Block-level pipelining: what traces say about the order of things, and the plan's closed forms
 * against the region's windows. */
#include "blp/layout.h"

#include "blp_test.h"

/* ---- traces ---- */

static bool overlaps(long first, long end, long other_first, long other_end)
{
    return first < other_end && other_first < end;
}

/* When the last entry of a role ended that has slices [first, end) of an array. */
static double last_end_s(const struct blp_trace *trace, enum blp_role role, int array, long first,
                         long end)
{
    double last = -1.0;
    for (long i = 0; i < trace->count; i++) {
        const struct blp_trace_entry *entry = &trace->entries[i];
        if (entry->role == role && entry->array == array &&
            overlaps(first, end, entry->first, entry->end) && entry->end_s > last)
            last = entry->end_s;
    }
    return last;
}

/* Tasks begin when their windows are there, copies out when the task is done. */
static void check_order(const struct dm_region *region, const struct blp_trace *trace)
{
    for (long i = 0; i < trace->count; i++) {
        const struct blp_trace_entry *entry = &trace->entries[i];
        expect(entry->start_s <= entry->ready_s && entry->ready_s <= entry->end_s);
        if (i > 0 && entry[-1].block == entry->block)
            expect(entry[-1].start_s <= entry->start_s);
        for (int a = 0; a < region->array_count && entry->role == BLP_COMPUTE; a++) {
            long first, end;
            if (!(region->arrays[a].direction & DM_REGION_TO) || entry->first == entry->end)
                continue;
            dm_region_window(&region->arrays[a], entry->first, entry->end, &first, &end);
            double arrived_s = last_end_s(trace, BLP_COPY_IN, a, first, end);
            expect(arrived_s >= 0 && arrived_s <= entry->ready_s);
        }
        if (entry->role == BLP_COPY_OUT && region->arrays[entry->array].split != DM_REGION_WHOLE) {
            long offset = region->arrays[entry->array].offset;
            double done_s =
                last_end_s(trace, BLP_COMPUTE, -1, entry->first - offset, entry->end - offset);
            expect(done_s >= 0 && done_s <= entry->ready_s);
        }
    }
}

/* A slice is copied in and out by entries of one group, and each iteration is in one task. */
static void check_coverage(const struct dm_region *region, const struct blp_trace *trace)
{
    for (int a = -1; a < region->array_count; a++)
        for (int role = 0; role < 3; role++) {
            long first = region->begin, end = region->end;
            if ((a < 0) != (role == BLP_COMPUTE))
                continue;
            if (a >= 0) {
                int direction = role == BLP_COPY_IN ? DM_REGION_TO : DM_REGION_FROM;
                dm_region_window(&region->arrays[a], region->begin, region->end, &first, &end);
                if (!(region->arrays[a].direction & direction))
                    end = first;
            }
            for (long slice = first; slice < end; slice++) {
                long task = -1;
                for (long i = 0; i < trace->count; i++) {
                    const struct blp_trace_entry *entry = &trace->entries[i];
                    if ((int)entry->role != role || entry->array != a || slice < entry->first ||
                        slice >= entry->end)
                        continue;
                    expect(task < 0 || task == entry->task);
                    task = entry->task;
                }
                expect(task >= 0);
            }
        }
}

static void traces_show_the_order(void)
{
    for (int k = 0; k < NAMES; k++) {
        struct benchmark *benchmark = make(names[k], sizes[k] > 40 ? 64 : sizes[k], 1);
        for (int choice = 0; choice < 8; choice++) {
            struct blp_options options = {0};
            struct blp_trace trace = {0};
            options.layout = choice & 1 ? BLP_INTERLEAVED : BLP_PER_ARRAY;
            options.dynamic = choice & 2;
            options.task_size = 2;
            options.threads = 32;
            if (choice & 4)
                options.budget_bytes = minimum_budget(benchmark, options);
            options.trace = &trace;
            struct blp_report report;
            expect(errors_with(benchmark, &options, &report) == 0);
            expect(trace.count > 2 && trace.count <= trace.capacity);
            check_order(&benchmark->region, &trace);
            check_coverage(&benchmark->region, &trace);
            blp_trace_release(&trace);
        }
        benchmark_release(benchmark);
    }
    blp_trace_release(NULL);
}

/* With a ring for one window, a slice is not replaced before the tasks that need it are done. */
static void traces_show_that_slots_are_kept(void)
{
    struct benchmark *benchmark = make("conv2d", 60, 1);
    struct blp_trace trace = {0};
    struct blp_options options = {0};
    options.task_size = 1; /* so a ring of one window has 3 slots for the input, 1 for the output */
    options.budget_bytes = minimum_budget(benchmark, options);
    options.trace = &trace;
    expect(errors_with(benchmark, &options, NULL) == 0);
    for (long i = 0; i < trace.count; i++) {
        const struct blp_trace_entry *entry = &trace.entries[i];
        long users = entry->first - 3; /* the slice that was there: row s is read by s-1, s, s+1 */
        if (entry->role == BLP_COPY_IN && users >= 0)
            expect(last_end_s(&trace, BLP_COMPUTE, -1, users - 1, users + 2) <= entry->ready_s);
        if (entry->role == BLP_COMPUTE && entry->first > 1)
            expect(last_end_s(&trace, BLP_COPY_OUT, 1, entry->first - 1, entry->first) <=
                   entry->ready_s);
    }
    blp_trace_release(&trace);
    benchmark_release(benchmark);
}

/* ---- plans ---- */

/* A plan's work without a device: 8 blocks, 1 of which copies in and 1 out. */
static struct blp_work lay_out(const struct benchmark *benchmark, const struct blp_options *options)
{
    struct blp_work work = {.blocks = 8, .in_blocks = 1, .out_blocks = 1, .threads = 32};
    size_t bytes;
    work.vector_bytes = 4;
    expect_ok(
        lay_out_work(&work, &benchmark->region, kernel_of(benchmark->kind->name), options, &bytes));
    return work;
}

/* Each unit of each slice is in exactly one piece of the items of a direction. */
static void check_pieces(const struct dm_region *region, const struct blp_work *work, bool in)
{
    enum dm_region_direction direction = in ? DM_REGION_TO : DM_REGION_FROM;
    long items = in ? blp_in_items(work) : blp_out_items(work), copied[DM_REGION_ARRAYS] = {0};
    for (long item = 0; item < items; item++) {
        struct blp_piece piece = blp_item(work, direction, item);
        for (int a = 0; a < work->array_count; a++) {
            const struct blp_array *array = &work->arrays[a];
            long first, end;
            if (!blp_takes_part(work, &piece, a, direction))
                continue;
            blp_group(work, array, blp_group_in(&piece, array), &first, &end);
            long units = (end - first) * array->units;
            expect(piece.piece < array->pieces && piece.piece >= 0);
            copied[a] +=
                units * (piece.piece + 1) / array->pieces - units * piece.piece / array->pieces;
        }
    }
    for (int a = 0; a < work->array_count; a++) {
        long first, end;
        dm_region_window(&region->arrays[a], region->begin, region->end, &first, &end);
        long wanted = region->arrays[a].direction & direction ? end - first : 0;
        expect(copied[a] == wanted * work->arrays[a].units);
    }
}

/* The closed forms against the region's windows, task by task. */
static void check_uses(const struct dm_region *region, const struct blp_work *work, int a)
{
    const struct blp_array *array = &work->arrays[a];
    for (long group = 0; group < work->tasks + array->halo; group++) {
        long first, end, users = 0;
        blp_group(work, array, group, &first, &end);
        for (long task = 0; task < work->tasks; task++) {
            long begin, end_iteration, window, window_end;
            blp_iterations(work, task, &begin, &end_iteration);
            dm_region_window(&region->arrays[a], begin, end_iteration, &window, &window_end);
            bool waits = task <= group && group <= task + array->halo;
            expect(waits || first == end || !overlaps(first, end, window, window_end));
            users += waits;
        }
        long copies = array->direction & DM_REGION_FROM ? array->pieces : 0;
        expect(blp_use_count(work, array, group) == users * work->stages * work->parts + copies);
    }
}

static void pieces_and_uses_are_counted(void)
{
    for (int k = 0; k < NAMES; k++) {
        struct benchmark *benchmark = make(names[k], sizes[k], 1);
        for (int choice = 0; choice < 16; choice++) {
            struct blp_options options = {0};
            options.task_size = choice / 2 + 1;
            options.layout = choice % 2 ? BLP_INTERLEAVED : BLP_PER_ARRAY;
            struct blp_work work = lay_out(benchmark, &options);
            check_pieces(&benchmark->region, &work, true);
            check_pieces(&benchmark->region, &work, false);
            for (int a = 0; a < work.array_count; a++)
                if (work.arrays[a].split != DM_REGION_WHOLE)
                    check_uses(&benchmark->region, &work, a);
        }
        benchmark_release(benchmark);
    }
}

int main(void)
{
    setenv("SOFTGPU_MEMORY", "256M", 1);
    run_test(traces_show_the_order);
    run_test(traces_show_that_slots_are_kept);
    run_test(pieces_and_uses_are_counted);
    return end_tests();
}
