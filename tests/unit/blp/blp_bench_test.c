/* The checks of blp/'s programs must find what is wrong: here it is made wrong on purpose. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blp/bench_companion.h"
#include "blp/bench_cycle.h"
#include "blp/bench_flag_test.h"
#include "blp/bench_order.h"
#include "blp/bench_residency.h"
#include "blp/bench_transfer.h"
#include "common/clock.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "tests/unit/test.h"

/* ---- transfers ---- */

enum { BYTES = 4 * TRANSFER_ROW_BYTES };

static long errors_after(const struct transfer *transfer)
{
    transfer_clear(transfer);
    transfer_run(transfer);
    return transfer_errors(transfer);
}

static void invert(unsigned *device_word)
{
    unsigned word;
    check_cuda(cudaMemcpy(&word, device_word, sizeof word, cudaMemcpyDeviceToHost));
    word = ~word;
    check_cuda(cudaMemcpy(device_word, &word, sizeof word, cudaMemcpyHostToDevice));
}

/* Three words are changed between the transfer and the check: one that came in, one that went out,
 * and a counter. */
static void expect_found(const struct transfer *transfer)
{
    const struct transfer_memory *memory = transfer->memory;
    const bool counts =
        transfer->method >= TRANSFER_DIRECT && transfer->method != TRANSFER_INTERLEAVED;
    const bool arrays = transfer->method >= TRANSFER_INTERLEAVED;
    expect(errors_after(transfer) == 0);
    transfer_clear(transfer);
    transfer_run(transfer);
    long made = 0;
    if (transfer->direction & DIRECTION_IN) {
        invert((unsigned *)memory->device_target + 77);
        made++;
    }
    if (transfer->direction & DIRECTION_OUT) {
        unsigned *target = (unsigned *)memory->target + (arrays ? BYTES / 4 - 3 : 5);
        *target = ~*target;
        made++;
    }
    if (counts) {
        invert(memory->arrived);
        made++;
    }
    expect(transfer_errors(transfer) == made);
}

static void transfers_move_all_and_errors_are_found(void)
{
    static const long chunks[] = {1, 8, 1024};
    static const enum transfer_direction directions[] = {DIRECTION_IN, DIRECTION_OUT,
                                                         DIRECTION_BOTH};
    struct transfer_memory memory;
    transfer_memory_open(&memory, BYTES, 7);
    for (int method = 0; method < TRANSFER_METHODS; method++)
        for (int d = 0; d < 3; d++)
            for (int c = 0; c < 3; c++)
                for (int bits = 32; bits <= 128; bits += 96) {
                    const bool arrays = method >= TRANSFER_INTERLEAVED;
                    if (arrays && (directions[d] == DIRECTION_OUT || c > 0))
                        continue;
                    struct transfer transfer = {
                        .memory = &memory,
                        .method = (enum transfer_method)method,
                        .direction = directions[d],
                        .chunks = chunks[c],
                        .blocks = directions[d] == DIRECTION_BOTH ? 4 : 3,
                        .threads = 32,
                        .vector_bits = bits,
                    };
                    expect_found(&transfer);
                }
    transfer_memory_close(&memory);
}

/* More blocks than chunks share each; fewer take them in turn. */
static void any_number_of_blocks_copies_all(void)
{
    struct transfer_memory memory;
    transfer_memory_open(&memory, BYTES, 8);
    for (int blocks = 1; blocks <= 7; blocks += 2)
        for (long chunks = 1; chunks <= 16; chunks *= 4) {
            struct transfer transfer = {.memory = &memory,
                                        .direction = DIRECTION_BOTH,
                                        .chunks = chunks,
                                        .blocks = blocks,
                                        .threads = 96,
                                        .vector_bits = 128};
            transfer.method = TRANSFER_DIRECT;
            expect(errors_after(&transfer) == 0);
            transfer.method = TRANSFER_DIRECT_CHUNK;
            expect(errors_after(&transfer) == 0);
        }
    transfer_memory_close(&memory);
}

/* ---- flags ---- */

static struct flag_finding last_finding(struct flag_test *test)
{
    const long before = test->errors;
    const size_t samples = test->samples;
    expect(flag_sample(test) > 0.0);
    expect(test->samples == samples + 1 && test->errors == before + test->last.errors);
    return test->last;
}

static void each_operation_does_what_it_should(void)
{
    unsigned *flag = memory_allocate(MEMORY_DEVICE, FLAG_BYTES);
    unsigned *wrong = memory_allocate(MEMORY_DEVICE, sizeof *wrong);
    for (int kind = FLAG_THROUGHPUT; kind <= FLAG_LATENCY; kind++)
        for (int operation = 0; operation < FLAG_PLAIN; operation++) {
            struct flag_test test = {.kind = (enum flag_kind)kind,
                                     .operation = (enum flag_operation)operation,
                                     .writers = kind == FLAG_LATENCY ? 1 : 5,
                                     .repetitions = 100,
                                     .seed = 3,
                                     .flag = flag,
                                     .wrong = wrong};
            expect(last_finding(&test).errors == 0);
        }
    memory_release(MEMORY_DEVICE, flag);
    memory_release(MEMORY_DEVICE, wrong);
}

static bool is_right(enum flag_operation operation, unsigned last)
{
    struct flag_test test = {.operation = operation, .writers = 3, .repetitions = 10};
    return flag_value_is_right(&test, 100, last);
}

static void a_wrong_last_value_is_found(void)
{
    expect(is_right(FLAG_ADD, 130) && !is_right(FLAG_ADD, 129));
    expect(is_right(FLAG_INC, 130) && !is_right(FLAG_INC, 131));
    expect(is_right(FLAG_OR, 100 | 7) && !is_right(FLAG_OR, 100 | 1));
    expect(is_right(FLAG_EXCHANGE, 4) && !is_right(FLAG_EXCHANGE, 100));
    expect(!is_right(FLAG_EXCHANGE, 8));
    expect(is_right(FLAG_AND, 100) && !is_right(FLAG_AND, 101));
    expect(is_right(FLAG_PLAIN, 101) && !is_right(FLAG_PLAIN, 100));
    expect(!is_right(FLAG_PLAIN, 131));
}

/* All of these read another value than is expected. */
static void a_wrong_read_is_found(void)
{
    unsigned *words = memory_allocate(MEMORY_DEVICE, FLAG_BYTES), wrong;
    for (int operation = FLAG_AND; operation <= FLAG_VOLATILE; operation++) {
        check_cuda(cudaMemset(words, 0, FLAG_BYTES));
        check_cuda(flag_throughput((enum flag_operation)operation, words, 3, 10, 1, words + 1, 0));
        check_cuda(cudaMemcpy(&wrong, words + 1, sizeof wrong, cudaMemcpyDeviceToHost));
        expect(wrong == 30);
    }
    memory_release(MEMORY_DEVICE, words);
}

static struct flag_finding hand(int write, int read, bool early)
{
    struct flag_test test = {.kind = FLAG_HANDOFF, .handoff = handoff_open(2, 32, 10), .seed = 5};
    test.handoff.write = (enum blp_write)write;
    test.handoff.read = (enum blp_read)read;
    test.handoff.early = early;
    struct flag_finding finding = last_finding(&test);
    handoff_close(&test.handoff);
    return finding;
}

static void handoffs_are_safe_by_every_combination(void)
{
    for (int write = 0; write < BLP_WRITES; write++)
        for (int read = 0; read < BLP_READS; read++) {
            struct flag_finding finding = hand(write, read, false);
            expect(finding.stale == 0);
            expect(finding.errors == 0);
        }
}

#if !defined(__SANITIZE_THREAD__)
static void a_flag_that_comes_early_is_found(void)
{
    long stale = 0;
    for (int i = 0; i < 20 && stale == 0; i++) {
        struct flag_finding finding = hand(BLP_WRITE_ADD, BLP_READ_VOLATILE, true);
        expect(finding.errors == finding.stale);
        stale = finding.stale;
    }
    expect(stale > 0);
}
#endif

/* ---- residency ---- */

enum { ENTRIES = 1000, CHAINS = 300, STEPS = 37 };

static unsigned *to_device(const unsigned *words, size_t count)
{
    unsigned *device = memory_allocate(MEMORY_DEVICE, count * sizeof *words);
    check_cuda(cudaMemcpy(device, words, count * sizeof *words, cudaMemcpyHostToDevice));
    return device;
}

static void chains_end_where_the_cycle_says(void)
{
    static unsigned next[ENTRIES], starts[CHAINS], places[CHAINS];
    struct cycle cycle;
    unsigned sum = 0, place = 0, length = 0;
    cycle_make(&cycle, ENTRIES, 11);
    cycle_next(&cycle, next);
    do {
        place = next[place];
        length++;
    } while (place != 0 && length <= ENTRIES);
    expect(length == ENTRIES); /* one cycle, of all */
    for (unsigned i = 0; i < CHAINS; i++)
        starts[i] = i * 3;
    struct residency_chase chase = {.blocks = 5,
                                    .threads = 32,
                                    .next = to_device(next, ENTRIES),
                                    .entries = ENTRIES,
                                    .place = to_device(starts, CHAINS),
                                    .chains = CHAINS,
                                    .steps = STEPS};
    unsigned *device_sum = to_device(&sum, 1);
    check_cuda(residency_chase(&chase, 0));
    check_cuda(cudaMemcpy(places, chase.place, sizeof places, cudaMemcpyDeviceToHost));
    expect(cycle_wrong(&cycle, starts, places, CHAINS, STEPS) == 0);
    expect(cycle_wrong(&cycle, starts, places, CHAINS, STEPS + 1) == CHAINS);
    places[7] = next[places[7]];
    expect(cycle_wrong(&cycle, starts, places, CHAINS, STEPS) == 1);
    check_cuda(residency_sum(&chase, device_sum, 0));
    check_cuda(cudaMemcpy(&sum, device_sum, sizeof sum, cudaMemcpyDeviceToHost));
    expect(sum == ENTRIES * (ENTRIES - 1) / 2);
    memory_release(MEMORY_DEVICE, (void *)chase.next);
    memory_release(MEMORY_DEVICE, chase.place);
    memory_release(MEMORY_DEVICE, device_sum);
    cycle_free(&cycle);
}

static void blocks_meet_within_the_limit_only(void)
{
    unsigned words[2] = {0}, *device = to_device(words, 2);
    int limit;
    check_cuda(residency_meet_limit(32, &limit));
    expect(limit > 1);
    check_cuda(residency_meet(limit, 32, device, device + 1, 0));
    check_cuda(cudaMemcpy(words, device, sizeof words, cudaMemcpyDeviceToHost));
    expect(words[0] == (unsigned)limit && words[1] == (unsigned)limit);
    expect(residency_meet(limit + 1, 32, device, device + 1, 0) ==
           cudaErrorCooperativeLaunchTooLarge);
    memory_release(MEMORY_DEVICE, device);
}

/* ---- companions ---- */

static void sleep_a_while(void *context)
{
    (void)context;
    usleep(100000);
}

static void spin_a_while(void *context)
{
    const double start_s = clock_now_s();
    (void)context;
    while (clock_now_s() - start_s < 0.1)
        ;
}

static void a_core_that_is_taken_is_told_from_a_free_one(void)
{
    const double asleep = companion_free_share(sleep_a_while, NULL);
    double spinning = 1.0;
    for (int i = 0; i < 5 && spinning > 0.8; i++) /* the one that spins may have been stopped */
        spinning = companion_free_share(spin_a_while, NULL);
    expect(asleep > 0.0 && asleep <= 1.01);
    expect(spinning > 0.0 && spinning <= 0.8);
}

enum {
    HELD_BYTES = 64 << 20,
    SLACK_BYTES = 4 << 20 /* a driver takes memory in larger pieces */
};

static void hold_memory(void *hold_us)
{
    void *memory = memory_allocate(MEMORY_DEVICE, HELD_BYTES);
    usleep(*(useconds_t *)hold_us);
    memory_release(MEMORY_DEVICE, memory);
}

static bool memory_is_seen(useconds_t hold_us)
{
    const size_t before = companion_peak_in_use(sleep_a_while, NULL);
    const size_t with = companion_peak_in_use(hold_memory, &hold_us);
    const size_t after = companion_peak_in_use(sleep_a_while, NULL);
    /* Other programs' memory counts, too, and one of them may end meanwhile. */
    const size_t without = before < after ? before : after;
    return with >= without + HELD_BYTES - SLACK_BYTES;
}

static void memory_that_is_given_back_is_seen(void)
{
    /* The one that looks may have been stopped. */
    expect(memory_is_seen(100000) || memory_is_seen(1000000) || memory_is_seen(5000000));
}

static void take_memory(void *memory)
{
    *(void **)memory = memory_allocate(MEMORY_DEVICE, HELD_BYTES);
}

/* However short the work is. */
static void memory_that_is_kept_is_seen(void)
{
    const size_t before = companion_peak_in_use(sleep_a_while, NULL);
    size_t least = SIZE_MAX;
    for (int i = 0; i < 100; i++) {
        void *memory;
        const size_t with = companion_peak_in_use(take_memory, &memory);
        memory_release(MEMORY_DEVICE, memory);
        least = with < least ? with : least;
    }
    const size_t after = companion_peak_in_use(sleep_a_while, NULL);
    const size_t without = before < after ? before : after;
    expect(least >= without + HELD_BYTES - SLACK_BYTES);
}

/* ---- order ---- */

/* Two tasks of two iterations: slice i of `out` needs slices i-1 .. i+1 of `in`. */
static struct dm_region small_region(void)
{
    struct dm_region region = dm_region_make("small", 1, 5, NULL, NULL);
    dm_region_add(&region, (struct dm_region_array){.name = "in",
                                                    .direction = DM_REGION_TO,
                                                    .split = DM_REGION_ROWS,
                                                    .slices = 6,
                                                    .slice_bytes = 4,
                                                    .rows = 1,
                                                    .offset = -1,
                                                    .length = 3});
    dm_region_add(&region, (struct dm_region_array){.name = "out",
                                                    .direction = DM_REGION_FROM,
                                                    .split = DM_REGION_ROWS,
                                                    .slices = 6,
                                                    .slice_bytes = 4,
                                                    .rows = 1,
                                                    .offset = 0,
                                                    .length = 1});
    return region;
}

/* In order: each waits for the one before. */
static void make_trace(struct blp_trace_entry *entries)
{
    const struct blp_trace_entry right[6] = {
        {.role = BLP_COPY_IN, .array = 0, .first = 0, .end = 4, .end_s = 1.0},
        {.role = BLP_COPY_IN, .array = 0, .first = 4, .end = 6, .end_s = 2.0},
        {.role = BLP_COMPUTE, .array = -1, .first = 1, .end = 3, .ready_s = 1.0, .end_s = 3.0},
        {.role = BLP_COMPUTE, .array = -1, .first = 3, .end = 5, .ready_s = 2.0, .end_s = 4.0},
        {.role = BLP_COPY_OUT, .array = 1, .first = 1, .end = 3, .ready_s = 3.0, .end_s = 5.0},
        {.role = BLP_COPY_OUT, .array = 1, .first = 3, .end = 5, .ready_s = 4.0, .end_s = 6.0},
    };
    memcpy(entries, right, sizeof right);
}

static void what_was_not_awaited_is_found(void)
{
    const struct dm_region region = small_region();
    struct blp_trace_entry entries[6];
    struct blp_trace trace = {.entries = entries, .count = 6};
    make_trace(entries);
    for (long i = 0; i < 6; i++)
        expect(is_in_order(&region, &trace, i));

    entries[3].ready_s = 1.5; /* before slices 4 and 5 were there */
    expect(!is_in_order(&region, &trace, 3));
    expect(is_in_order(&region, &trace, 2));

    make_trace(entries);
    entries[1].first = 5; /* slice 4 never comes */
    expect(!is_in_order(&region, &trace, 3));

    make_trace(entries);
    entries[4].ready_s = 2.5; /* before its task ended */
    expect(!is_in_order(&region, &trace, 4));

    make_trace(entries);
    trace.count = 5; /* another piece of slices 0 to 3, which comes later */
    entries[4] = entries[0];
    entries[4].end_s = 2.5;
    expect(!is_in_order(&region, &trace, 2));

    make_trace(entries);
    entries[0].start_s = 0.5; /* ready before it began */
    expect(!is_in_order(&region, &trace, 0));
}

int main(void)
{
    run_test(transfers_move_all_and_errors_are_found);
    run_test(any_number_of_blocks_copies_all);
    run_test(each_operation_does_what_it_should);
    run_test(a_wrong_last_value_is_found);
    run_test(a_wrong_read_is_found);
    run_test(handoffs_are_safe_by_every_combination);
#if !defined(__SANITIZE_THREAD__) /* which finds it, too: a data race */
    run_test(a_flag_that_comes_early_is_found);
#endif
    run_test(chains_end_where_the_cycle_says);
    run_test(blocks_meet_within_the_limit_only);
    run_test(a_core_that_is_taken_is_told_from_a_free_one);
    run_test(memory_that_is_given_back_is_seen);
    run_test(memory_that_is_kept_is_seen);
    run_test(what_was_not_awaited_is_found);
    return end_tests();
}
