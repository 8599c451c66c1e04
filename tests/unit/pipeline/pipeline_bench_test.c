/* What pipeline's programs are built from: lists, measuring configurations, and the judges of
 * traces, copies and order. Each check is shown to fail on what is wrong. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/allocate.h"
#include "common/harness/program.h"
#include "pipeline/many_copies.h"
#include "common/regions/workload_lists.h"
#include "common/regions/device_memory.h"
#include "pipeline/pipeline_overlap.h"
#include "pipeline/pipeline_residency.h"
#include "pipeline/pipeline_rows.h"
#include "tests/unit/test.h"

/* ---- lists ---- */

static void numbers_and_ranges_are_read_in_order(void)
{
    struct option_numbers numbers = option_read_numbers("n", "8,1..3,5", 1, 8);
    const long expected[] = {8, 1, 2, 3, 5};
    expect(numbers.count == 5);
    for (size_t i = 0; i < numbers.count; i++)
        expect(numbers.values[i] == expected[i]);
    free(numbers.values);
}

static void workloads_take_missing_parts_from_the_defaults(void)
{
    struct workload_list workloads =
        read_workloads("b", "conv3d,stencil:24,stencil:tiny:7", "tiny,30", 2);
    expect(workloads.count == 4);
    expect(strcmp(workloads.values[0].kind->name, "conv3d") == 0);
    expect(strcmp(workloads.values[0].dataset, "tiny") == 0 && workloads.values[0].rounds == 2);
    expect(workloads.values[1].size == 30);
    expect(workloads.values[2].size == 24 && workloads.values[2].rounds == 2);
    expect(workloads.values[3].rounds == 7);
    expect(workloads.values[3].size == benchmark_size(workloads.values[3].kind, "tiny"));
    free_workloads(&workloads);
}

static void thread_blocks_are_read(void)
{
    dim3 block = read_thread_block("block", "32x8"), none = read_thread_block("block", NULL);
    expect(block.x == 32 && block.y == 8 && block.z == 1);
    expect(none.x == 0 && none.y == 0);
}

/* ---- configurations ---- */

static struct run quiet_run(int iterations)
{
    static const struct program program = {.name = "test"};
    return (struct run){.program = &program,
                        .settings = {.iterations = iterations, .check = true, .verbosity = -1}};
}

static struct benchmark *make(const char *name)
{
    const struct benchmark_kind *kind = benchmark_kind_of(name);
    return benchmark_create(kind, benchmark_size(kind, "tiny"), 1, MEMORY_PINNED, 1);
}

/* A method that does nothing: its results must be found wrong. */
static enum dm_status open_idle(const struct dm_region *region, const void *options, void **plan)
{
    (void)options;
    *plan = (void *)region;
    return DM_OK;
}
static enum dm_status run_idle(void *plan, void *report, double *time_s)
{
    (void)plan;
    *(int *)report = 7;
    *time_s = 1e-3;
    return DM_OK;
}
static void close_idle(void *plan)
{
    (void)plan;
}
static const struct bench_method idle = {open_idle, run_idle, close_idle, sizeof(int)};

/* One that never can. */
static enum dm_status refuse(const struct dm_region *region, const void *options, void **plan)
{
    (void)region;
    (void)options;
    (void)plan;
    return dm_fail(DM_INVALID, "no");
}
static const struct bench_method refusing = {refuse, run_idle, close_idle, sizeof(int)};

static struct bench_configuration configure(struct benchmark *benchmark,
                                            const struct bench_method *method, const void *options)
{
    return (struct bench_configuration){
        .variant = "test", .benchmark = benchmark, .method = method, .options = options};
}

static void wrong_results_are_found_and_right_ones_are_not(void)
{
    static const char *const names[] = {"conv3d", "gemm", "atax"};
    struct run run = quiet_run(3);
    struct pipeline_execution naive = {.version = COPIES_NAIVE,
                                       .options = {.chunk_size = 1, .streams = 1}};
    struct pipeline_execution ring = {.version = COPIES_RINGS,
                                      .options = {.chunk_size = 1, .streams = 2}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct benchmark *benchmark = make(names[i]);
        struct bench_configuration all[] = {
            configure(benchmark, &pipeline_method, &naive), configure(benchmark, &idle, NULL),
            configure(benchmark, &refusing, NULL), configure(benchmark, &pipeline_method, &ring)};
        bench_measure(&run, all, 4);
        expect(all[0].errors == 0 && !all[0].reason && all[0].subject.count == 3);
        expect(all[1].errors > 0 && all[1].subject.count == 3);
        expect(*(const int *)bench_report(&all[1], 2) == 7);
        expect(all[2].reason && strcmp(all[2].reason, "no") == 0);
        expect(all[2].subject.count == 0 && all[2].errors == 0);
        expect(all[3].errors == 0 && all[3].subject.count == 3);
        const struct copies_report *report = bench_report(&all[0], 0);
        expect(report->time_s == all[0].subject.times_s[0]);
        expect(!all[0].plan && !all[3].plan);
        bench_free(all, 4);
        benchmark_release(benchmark);
    }
}

/* A device that holds one plan only: the others make room. */
static void *hog;
static size_t openings;
static enum dm_status open_hog(const struct dm_region *region, const void *options, void **plan)
{
    (void)options;
    if (hog)
        return dm_fail(DM_NO_MEMORY, "the device is full");
    openings++;
    *plan = hog = (void *)region;
    return DM_OK;
}
static void close_hog(void *plan)
{
    expect(plan == hog);
    hog = NULL;
}
static const struct bench_method greedy = {open_hog, run_idle, close_hog, sizeof(int)};

static void plans_make_room_for_one_another(void)
{
    struct run run = quiet_run(4);
    run.settings.check = false;
    struct benchmark *benchmark = make("conv2d");
    struct bench_configuration all[] = {configure(benchmark, &greedy, NULL),
                                        configure(benchmark, &greedy, NULL)};
    openings = 0;
    bench_measure(&run, all, 2);
    expect(all[0].subject.count == 4 && all[1].subject.count == 4);
    expect(!all[0].reason && !all[1].reason && !hog);
    expect(openings >= 8);
    bench_free(all, 2);
    benchmark_release(benchmark);
}

static void memory_of_a_plan_is_what_it_allocates(void)
{
    size_t before, in_use = device_memory_in_use();
    expect(device_memory_before(&before));
    expect(before <= in_use);
    void *buffer = memory_allocate(MEMORY_DEVICE, 8 << 20);
    expect(device_memory_in_use() >= in_use + (8 << 20));
    memory_release(MEMORY_DEVICE, buffer);
}

static void the_kernels_time_is_told_with_whole_arrays_and_without(void)
{
    struct benchmark *benchmark = make("conv3d");
    size_t least = copies_minimum_bytes(&benchmark->region);
    double whole_s = kernel_seconds(&benchmark->region, 1 << 30);
    double rings_s = kernel_seconds(&benchmark->region, least);
    expect(whole_s > 0.0 && isfinite(whole_s));
    expect(rings_s > 0.0 && isfinite(rings_s));
    expect(isnan(kernel_seconds(&benchmark->region, least - 1)));
    benchmark_release(benchmark);
}

/* ---- traces ---- */

enum { LOOP = 6, IN = 0, OUT = 1 };

/* A loop that reads slices i-1 to i+1 of one array and writes slice i of another. */
static struct dm_region make_region(void)
{
    static float in[LOOP + 2], out[LOOP + 2];
    struct dm_region region = dm_region_make("test", 1, LOOP + 1, NULL, NULL);
    dm_region_add(&region, (struct dm_region_array){.name = "in",
                                                    .host = in,
                                                    .direction = DM_REGION_TO,
                                                    .split = DM_REGION_ROWS,
                                                    .slices = LOOP + 2,
                                                    .slice_bytes = sizeof(float),
                                                    .rows = 1,
                                                    .offset = -1,
                                                    .length = 3});
    dm_region_add(&region, (struct dm_region_array){.name = "out",
                                                    .host = out,
                                                    .direction = DM_REGION_FROM,
                                                    .split = DM_REGION_ROWS,
                                                    .slices = LOOP + 2,
                                                    .slice_bytes = sizeof(float),
                                                    .rows = 1,
                                                    .offset = 0,
                                                    .length = 1});
    return region;
}

static struct trace_entry *add(struct trace_entry *entries, long *count, struct trace_entry entry,
                               double start_s)
{
    entry.start_s = start_s;
    entry.end_s = start_s + 1.0;
    entries[*count] = entry;
    return &entries[(*count)++];
}

/* Chunks of one iteration, one operation after the other: copy in, kernel, copy out; rings of 4 and
 * 2 slots. Entry 0 brings slices 0 to 2; entries of iteration i are 3 (i - 1) and on. */
static long write_trace(struct trace_entry *entries)
{
    long count = 0;
    for (long i = 1; i <= LOOP; i++) {
        long first = i == 1 ? 0 : i + 1;
        double start_s = 10.0 * (double)i;
        add(entries, &count,
            (struct trace_entry){.kind = TRACE_TO_DEVICE,
                                 .chunk = i - 1,
                                 .array = IN,
                                 .first = first,
                                 .end = i + 2,
                                 .slot = first % 4,
                                 .slots = 4},
            start_s);
        add(entries, &count,
            (struct trace_entry){.kind = TRACE_KERNEL,
                                 .chunk = i - 1,
                                 .array = -1,
                                 .first = i,
                                 .end = i + 1,
                                 .slot = -1},
            start_s + 2.0);
        add(entries, &count,
            (struct trace_entry){.kind = TRACE_FROM_DEVICE,
                                 .chunk = i - 1,
                                 .array = OUT,
                                 .first = i,
                                 .end = i + 1,
                                 .slot = i % 2,
                                 .slots = 2},
            start_s + 4.0);
    }
    return count;
}

static long out_of_order(const struct trace_entry *entries, long count)
{
    struct dm_region region = make_region();
    struct copies_trace trace = {(struct trace_entry *)entries, count, count};
    long found = 0;
    for (long i = 0; i < count; i++)
        found += !pipeline_entry_in_order(&region, &trace, i);
    return found;
}

static void a_trace_in_order_is_accepted(void)
{
    struct trace_entry entries[3 * LOOP];
    long count = write_trace(entries);
    expect(count == 3 * LOOP);
    expect(out_of_order(entries, count) == 0);
}

static void each_kind_of_disorder_is_found(void)
{
    struct trace_entry entries[3 * LOOP + 1];
    long count = write_trace(entries);
    entries[3].slot++; /* not in its slot, and so in that of a slice in use */
    expect(out_of_order(entries, count) > 0);
    write_trace(entries);
    entries[3].end_s = entries[4].start_s + 0.5; /* slice 3 arrives while the kernel runs */
    expect(out_of_order(entries, count) == 1);
    write_trace(entries);
    entries[3].round = 1; /* slice 3 has come in another round only: missed by three kernels */
    expect(out_of_order(entries, count) == 3);
    write_trace(entries);
    entries[6].start_s = entries[1].start_s + 0.5; /* slice 4 replaces slice 0 too early */
    expect(out_of_order(entries, count) == 1);
    write_trace(entries);
    entries[2].start_s = entries[1].start_s; /* a result leaves before it is finished */
    expect(out_of_order(entries, count) == 1);
    write_trace(entries);
    entries[2].end_s = entries[7].start_s + 0.5; /* slice 3 is written while 1 is still leaving */
    expect(out_of_order(entries, count) == 1);
    write_trace(entries);
    entries[5].slot = -1; /* a ring buffer has slots */
    expect(out_of_order(entries, count) == 1);
    write_trace(entries);
    entries[1].kind = TRACE_TO_DEVICE; /* no kernel has written slice 1 */
    entries[1].array = IN;
    expect(out_of_order(entries, count) > 0);
}

/* ---- copies, overlap, order ---- */

static void copies_arrive_and_lost_ones_are_counted(void)
{
    for (int panels = 0; panels < 2; panels++) {
        struct many_copies copies;
        expect(many_copies_possible(panels, 4096, 1 << 16));
        many_copies_open(&copies, panels, 4096, 1 << 16, 8, 3);
        expect(copies.count == 8);
        expect(many_copies_errors(&copies) > 0);
        expect(many_copies_sample(&copies) > 0.0);
        expect(many_copies_errors(&copies) == 0);
        check_cuda(cudaMemset(copies.device + 5, 0x55, 1));
        check_cuda(cudaMemset(copies.device + 6, 0xaa, 1));
        expect(many_copies_errors(&copies) > 0);
        many_copies_close(&copies);
    }
    expect(!many_copies_possible(true, 64, 1 << 16)); /* less than a float for each of 128 rows */
    expect(!many_copies_possible(false, 1 << 17, 1 << 16));
}

static void a_chain_is_in_order_and_disorder_is_counted(void)
{
    struct chain chain;
    chain_open(&chain, 5);
    chain_run(&chain);
    expect(chain_violations(&chain) == 0);
    chain.host_out[17] ^= 1;
    expect(chain_violations(&chain) == 1);
    chain.host_out[17] ^= 1;
    cudaEvent_t event = chain.start[3]; /* operation 3 seems to start with the chain */
    chain.start[3] = chain.begin;
    expect(chain_violations(&chain) == 1);
    chain.start[3] = event;
    chain_close(&chain);
}

static void a_copy_and_a_kernel_overlap_on_two_streams_only(void)
{
    enum { RUNS = 20, RUNS_MOST = 500 }; /* on a busy machine few overlap */
    struct overlap overlap;
    double longest_s = 0.0, default_s = 0.0;
    overlap_open(&overlap, 4 << 20, 5);
    for (int i = 0; i < RUNS || (i < RUNS_MOST && longest_s == 0.0); i++) {
        double overlap_s;
        expect(overlap_run(&overlap, false, &overlap_s) >= overlap_s);
        longest_s = fmax(longest_s, overlap_s);
        overlap_run(&overlap, true, &overlap_s);
        default_s = fmax(default_s, overlap_s);
    }
    expect(longest_s > 0.0);
    expect(default_s == 0.0);
    overlap_close(&overlap);
}

int main(void)
{
    device_memory_start();
    check_cuda(cudaSetDevice(0));
    device_memory_measure(0);
    run_test(numbers_and_ranges_are_read_in_order);
    run_test(workloads_take_missing_parts_from_the_defaults);
    run_test(thread_blocks_are_read);
    run_test(wrong_results_are_found_and_right_ones_are_not);
    run_test(plans_make_room_for_one_another);
    run_test(memory_of_a_plan_is_what_it_allocates);
    run_test(the_kernels_time_is_told_with_whole_arrays_and_without);
    run_test(a_trace_in_order_is_accepted);
    run_test(each_kind_of_disorder_is_found);
    run_test(copies_arrive_and_lost_ones_are_counted);
    run_test(a_chain_is_in_order_and_disorder_is_counted);
    run_test(a_copy_and_a_kernel_overlap_on_two_streams_only);
    return end_tests();
}
