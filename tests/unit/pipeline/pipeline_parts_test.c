/* What pipeline's programs are built from: the judges of traces, copies and order. Each check is
 * shown to fail on what is wrong. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/harness/scope.h"
#include "pipeline/many_copies.h"
#include "pipeline/overlap.h"
#include "pipeline/residency.h"
#include "tests/unit/test.h"

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
        found += !residency_in_order(&region, &trace, i);
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
    scope_open();
    for (int variant = COPY_1D; variant <= COPY_2D; variant++) {
        struct many_copies copies = {
            .variant = variant, .bytes = 4096, .total_bytes = 1 << 16, .count_max = 8, .seed = 3};
        expect(many_copies_open(NULL, &copies));
        expect(copies.count == 8);
        expect(many_copies_verify(NULL, &copies) > 0);
        expect(many_copies_sample(&copies) > 0.0);
        expect(many_copies_verify(NULL, &copies) == 0);
        check_cuda(cudaMemset(copies.device + 5, 0x55, 1));
        check_cuda(cudaMemset(copies.device + 6, 0xaa, 1));
        expect(many_copies_verify(NULL, &copies) > 0);
        many_copies_close(&copies);
    }
    /* less than a float for each of 128 rows; more than there is */
    expect(!many_copies_open(
        NULL, &(struct many_copies){
                  .variant = COPY_2D, .bytes = 64, .total_bytes = 1 << 16, .count_max = 8}));
    expect(!many_copies_open(
        NULL, &(struct many_copies){.variant = COPY_1D, .bytes = 1 << 17, .total_bytes = 1 << 16}));
    scope_close();
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
    enum { RUNS = 20, RUNS_MAX = 500 }; /* on a busy machine few overlap */
    struct overlap overlap;
    double longest_s = 0.0, default_s = 0.0;
    overlap_open(&overlap, 4 << 20, 5);
    for (int i = 0; i < RUNS || (i < RUNS_MAX && longest_s == 0.0); i++) {
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
    check_cuda(cudaSetDevice(0));
    run_test(a_trace_in_order_is_accepted);
    run_test(each_kind_of_disorder_is_found);
    run_test(copies_arrive_and_lost_ones_are_counted);
    run_test(a_chain_is_in_order_and_disorder_is_counted);
    run_test(a_copy_and_a_kernel_overlap_on_two_streams_only);
    return end_tests();
}
