/* Started with mpirun by rdma_pipelined.bats on two ranks: rdma_pipelined_ranks_test all PATH. Rank
 * 0 prints one line per check, which is right only if it is on both ranks. */
#include "rdma/count.h"
#include "rdma/lane.h"

#include "rdma_pair_test.h"

enum { LARGEST = 3 << 20 };

/* ---- ends and data ---- */

static const struct pair pairs[] = {
    {{RDMA_DEVICE, RDMA_DEVICE}, false},  {{RDMA_DEVICE, RDMA_PAGEABLE}, false},
    {{RDMA_DEVICE, RDMA_PAGEABLE}, true}, {{RDMA_PAGEABLE, RDMA_DEVICE}, true},
    {{RDMA_DEVICE, RDMA_PINNED}, false},  {{RDMA_DEVICE, RDMA_PINNED}, true},
    {{RDMA_PINNED, RDMA_DEVICE}, true},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static struct rdma_end *open_pair(const struct pair *pair, size_t bytes, size_t chunk, int window)
{
    struct rdma_config config = config_of(pair, bytes, window);
    config.chunk_bytes = chunk;
    return open_end(&config);
}

/* Both directions at once; then the sent block is overwritten, as rdma_wait permits. */
static void exchange(struct rdma_end *end, size_t bytes)
{
    seed++;
    poison_receive(end);
    fill_send(end, seed, bytes);
    start_receive(end, bytes);
    start_send(end, bytes);
    wait_for_blocks(end);
    expect(end->config.device < 0 || cudaPeekAtLastError() == cudaSuccess);
    fill_send(end, ~seed, bytes);
    expect(has_received(end, seed, bytes));
    ranks.barrier(); /* both have looked, before the next poison */
}

/* ---- what works ---- */

static void chunks_suit_the_block(void)
{
    size_t last = 0;
    for (size_t bytes = 1; bytes < (size_t)1 << 40; bytes += bytes / 3 + 1) {
        size_t chunk = lane_good_chunk(bytes);
        expect(chunk >= last && chunk % 4096 == 0 && chunk <= 4 << 20);
        last = chunk;
    }
    expect(lane_good_chunk(1) >= 1);
    expect(lane_good_chunk((size_t)1 << 30) > lane_good_chunk(1));
    struct rdma_config config = {.bytes = 1000};
    expect(lane_largest_chunk(&config) == 1000);
    config.chunk_bytes = 999;
    expect(lane_largest_chunk(&config) == 999);
    config.chunk_bytes = 1001;
    expect(lane_largest_chunk(&config) == 1000);
}

static void every_chunk_size(void)
{
    static const struct {
        size_t bytes, chunk;
    } cases[] = {{23, 1},           {100, 7},          {100, 100},      {100, 1000},
                 {65536 + 1, 4096}, {65536 + 1, 8191}, {LARGEST + 5, 0}};

    for (int p = 0; p < PAIRS; p++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            struct rdma_end *end = open_pair(&pairs[p], cases[c].bytes, cases[c].chunk, 1);
            exchange(end, cases[c].bytes);
            exchange(end, cases[c].bytes - 1);
            exchange(end, 1);
            exchange(end, 0);
            exchange(end, cases[c].bytes < 20000 ? cases[c].bytes : 20000);
            rdma_close(end);
        }
}

/* One way, then the other, so that a direction also works while the other is silent. */
static void one_way(void)
{
    for (int p = 0; p < PAIRS; p++) {
        struct rdma_end *end = open_pair(&pairs[p], 50000, 9999, 1);
        for (int sender = 0; sender < 2; sender++) {
            seed++;
            poison_receive(end);
            ranks.barrier();
            if (ranks.rank == sender) {
                fill_send(end, seed, 50000);
                start_send(end, 50000);
            } else {
                start_receive(end, 50000);
            }
            wait_for_blocks(end);
            expect(ranks.rank == sender || has_received(end, seed, 50000));
        }
        rdma_close(end);
    }
}

/* More messages than chunks can be in flight, of falling sizes, so that the first is the longest
 * and what is left of it shows. */
static void windows(void)
{
    enum { WINDOW = 11, BYTES_MAX = 40000 };

    for (int p = 0; p < PAIRS; p++) {
        struct rdma_end *end = open_pair(&pairs[p], BYTES_MAX, 5000, WINDOW);
        for (int round = 0; round < 3; round++) {
            seed++;
            poison_receive(end);
            fill_send(end, seed, BYTES_MAX);
            for (int n = 0; n < WINDOW; n++)
                start_receive(end, (size_t)(BYTES_MAX - n * 4000));
            for (int n = 0; n < WINDOW; n++)
                start_send(end, (size_t)(BYTES_MAX - n * 4000));
            wait_for_blocks(end);
            expect(has_received(end, seed, BYTES_MAX));
            ranks.barrier();
        }
        rdma_close(end);
    }
}

/* Nobody touches a block before its receive was started, however early it is sent. */
static void the_receiver_is_late(void)
{
    enum { BYTES = 200000, CHUNK = 6000, WINDOW = 3 };

    for (int p = 0; p < PAIRS; p++) {
        struct rdma_end *end = open_pair(&pairs[p], BYTES, CHUNK, WINDOW);
        seed++;
        poison_receive(end);
        ranks.barrier();
        if (ranks.rank == 0) {
            fill_send(end, seed, BYTES);
            for (int n = 0; n < WINDOW; n++)
                start_send(end, BYTES);
            wait_for_blocks(end);
            fill_send(end, ~seed, BYTES);
        } else {
            nap(0.02);
            expect(has_received(end, seed, 0));
            for (int n = 0; n < WINDOW; n++)
                start_receive(end, BYTES);
            wait_for_blocks(end);
            expect(has_received(end, seed, BYTES));
        }
        rdma_close(end);
    }
}

static void two_ends_at_once(void)
{
    struct rdma_end *ends[2] = {open_pair(&pairs[0], 70000, 3000, 1),
                                open_pair(&pairs[3], 70000, 3000, 1)};
    for (int round = 0; round < 5; round++) {
        seed++;
        for (int e = 0; e < 2; e++) {
            poison_receive(ends[e]);
            fill_send(ends[e], seed + 1000 * (uint64_t)e, 70000);
            start_receive(ends[e], 70000);
        }
        for (int e = 0; e < 2; e++)
            start_send(ends[e], 70000);
        for (int e = 0; e < 2; e++)
            wait_for_blocks(ends[e]);
        for (int e = 0; e < 2; e++)
            expect(has_received(ends[e], seed + 1000 * (uint64_t)e, 70000));
        ranks.barrier();
    }
    rdma_close(ends[1]);
    rdma_close(ends[0]);
}

static void random_messages(void)
{
    struct rdma_end *end = open_pair(&pairs[0], 100000, 10000, 1);
    for (uint64_t n = 0; n < 100; n++)
        exchange(end, random_below(1, n, random_bits(2, n) % 2 ? 100001 : 100));
    rdma_close(end);
}

/* The copies that the path makes itself: a byte is moved once by each GPU, or by a CPU instead; a
 * page-locked block in shared memory is not copied again. What MPI does is not seen here. */
static void nothing_is_copied_twice(void)
{
    enum { BYTES = 100000 };

    for (int p = 0; p < PAIRS; p++) {
        struct rdma_end *end = open_pair(&pairs[p], BYTES, 0, 1);
        struct copies copies;
        copies_begin();
        start_receive(end, BYTES);
        start_send(end, BYTES);
        wait_for_blocks(end);
        copies_end(&copies);
        bool device = end->config.place == RDMA_DEVICE;
        bool cpu = path == RDMA_PIPELINED_SHARED && end->config.place == RDMA_PAGEABLE;
        expect(copies.bytes[COPIER_ENGINE] == (device ? 2 * BYTES : 0));
        expect(copies.bytes[COPIER_CPU] == (cpu ? 2 * BYTES : 0));
        expect(copies.bytes[COPIER_DRIVER] == 0 && copies.bytes[COPIER_KERNEL] == 0);
        rdma_close(end);
    }
}

/* ---- what does not ---- */

/* The receiver sees it. */
static void different_sizes(void)
{
    struct rdma_end *end = open_pair(&pairs[0], 1000, 100, 1);
    if (ranks.rank == 0) {
        end->contact.wait_limit_s = 0.1;
        enum dm_status status = rdma_send(end, 990);
        expect(status == DM_OK || status == DM_TIMEOUT);
        end->contact.wait_limit_s = 20;
    } else {
        expect_error(
            rdma_receive(end, 1000), DM_INVALID,
            path == RDMA_PIPELINED
                ? "rank 1 receives 100 bytes where the other rank sends 90 (path pipelined)"
                : "rank 1 receives 1000 bytes where the other rank sends 990 (path "
                  "pipelined-shared): both must name the same size");
        expect_error(rdma_start_receive(end, 10), DM_INVALID, "has failed before: close it");
    }
    rdma_close(end);
}

/* Rank 0 has more to send than fits on the way, and rank 1 receives late. */
static void a_wait_can_be_repeated(void)
{
    enum { BLOCKS = 8 };
    struct rdma_end *end = open_pair(&pairs[0], LARGEST, 1 << 20, BLOCKS);
    fill_send(end, ++seed, LARGEST);
    for (int n = 0; n < BLOCKS && ranks.rank == 0; n++)
        expect_ok(rdma_start_send(end, LARGEST));
    if (ranks.rank == 0) {
        end->contact.wait_limit_s = 0.1;
        expect_error(rdma_wait(end), DM_TIMEOUT,
                     "rank 0 waited 0.1 s for room for a block from rank 1 (path pipelined");
        end->contact.wait_limit_s = 20;
    }
    ranks.barrier();
    for (int n = 0; n < BLOCKS && ranks.rank == 1; n++)
        expect_ok(rdma_start_receive(end, LARGEST));
    expect_ok(rdma_wait(end));
    expect(ranks.rank == 0 || has_received(end, seed, LARGEST));
    rdma_close(end);
}

/* ---- running ---- */

static void all(void)
{
    static const struct step steps[] = {STEP(chunks_suit_the_block),
                                        STEP(every_chunk_size),
                                        STEP(one_way),
                                        STEP(windows),
                                        STEP(the_receiver_is_late),
                                        STEP(two_ends_at_once),
                                        STEP(random_messages),
                                        STEP(nothing_is_copied_twice),
                                        STEP(different_sizes),
                                        STEP(a_wait_can_be_repeated)};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        run_step(&steps[i]);
}

int main(int argc, char **argv)
{
    static const enum rdma_path paths[] = {RDMA_PIPELINED, RDMA_PIPELINED_SHARED};
    static const struct step scenarios[] = {STEP(all), {0}};
    return run_scenario(argc, argv, scenarios, paths, LARGEST + 5);
}
