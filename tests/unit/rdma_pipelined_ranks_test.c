/* Started with mpirun by rdma_pipelined.bats on two ranks: rdma_pipelined_ranks_test SCENARIO PATH.
 * The scenario all goes through everything that works; sizes and silent are about what does
 * not. Rank 0 prints one line per check, which is right only if it is on both ranks. */
#include "rdma_lane.h"

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

static struct rdma_end *open_end(const struct pair *pair, size_t bytes, size_t chunk, int window)
{
    struct rdma_config config = config_of(pair, bytes, window);
    config.chunk_bytes = chunk;
    return open_or_fail(&config);
}

/* Both directions at once; then the sent block is overwritten, as rdma_wait permits. */
static void exchange(struct rdma_end *end, size_t bytes)
{
    seed++;
    poison_receive(end);
    fill_send(end, seed, bytes);
    rdma_start_receive(end, bytes);
    rdma_start_send(end, bytes);
    rdma_wait(end);
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
        size_t chunk = rdma_good_chunk(bytes);
        expect(chunk >= last && chunk % 4096 == 0 && chunk <= 4 << 20);
        last = chunk;
    }
    expect(rdma_good_chunk(1) >= 1);
    expect(rdma_good_chunk((size_t)1 << 30) > rdma_good_chunk(1));
    struct rdma_config config = {.bytes = 1000};
    expect(rdma_largest_chunk(&config) == 1000);
    config.chunk_bytes = 999;
    expect(rdma_largest_chunk(&config) == 999);
    config.chunk_bytes = 1001;
    expect(rdma_largest_chunk(&config) == 1000);
}

static void every_chunk_size(void)
{
    static const struct {
        size_t bytes, chunk;
    } cases[] = {{23, 1},           {100, 7},          {100, 100},      {100, 1000},
                 {65536 + 1, 4096}, {65536 + 1, 8191}, {LARGEST + 5, 0}};

    for (int p = 0; p < PAIRS; p++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            struct rdma_end *end = open_end(&pairs[p], cases[c].bytes, cases[c].chunk, 1);
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
        struct rdma_end *end = open_end(&pairs[p], 50000, 9999, 1);
        for (int sender = 0; sender < 2; sender++) {
            seed++;
            poison_receive(end);
            ranks.barrier();
            if (ranks.rank == sender) {
                fill_send(end, seed, 50000);
                rdma_start_send(end, 50000);
            } else {
                rdma_start_receive(end, 50000);
            }
            rdma_wait(end);
            expect(ranks.rank == sender || has_received(end, seed, 50000));
        }
        rdma_close(end);
    }
}

/* More messages than chunks can be in flight, of falling sizes, so that the first is the longest
 * and what is left of it shows. */
static void windows(void)
{
    enum { WINDOW = 11, MOST = 40000 };

    for (int p = 0; p < PAIRS; p++) {
        struct rdma_end *end = open_end(&pairs[p], MOST, 5000, WINDOW);
        for (int round = 0; round < 3; round++) {
            seed++;
            poison_receive(end);
            fill_send(end, seed, MOST);
            for (int n = 0; n < WINDOW; n++)
                rdma_start_receive(end, (size_t)(MOST - n * 4000));
            for (int n = 0; n < WINDOW; n++)
                rdma_start_send(end, (size_t)(MOST - n * 4000));
            rdma_wait(end);
            expect(has_received(end, seed, MOST));
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
        struct rdma_end *end = open_end(&pairs[p], BYTES, CHUNK, WINDOW);
        seed++;
        poison_receive(end);
        ranks.barrier();
        if (ranks.rank == 0) {
            fill_send(end, seed, BYTES);
            for (int n = 0; n < WINDOW; n++)
                rdma_start_send(end, BYTES);
            rdma_wait(end);
            fill_send(end, ~seed, BYTES);
        } else {
            nap(0.02);
            expect(has_received(end, seed, 0));
            for (int n = 0; n < WINDOW; n++)
                rdma_start_receive(end, BYTES);
            rdma_wait(end);
            expect(has_received(end, seed, BYTES));
        }
        rdma_close(end);
    }
}

static void two_ends_at_once(void)
{
    struct rdma_end *ends[2] = {open_end(&pairs[0], 70000, 3000, 1),
                                open_end(&pairs[3], 70000, 3000, 1)};
    for (int round = 0; round < 5; round++) {
        seed++;
        for (int e = 0; e < 2; e++) {
            poison_receive(ends[e]);
            fill_send(ends[e], seed + 1000 * (uint64_t)e, 70000);
            rdma_start_receive(ends[e], 70000);
        }
        for (int e = 0; e < 2; e++)
            rdma_start_send(ends[e], 70000);
        for (int e = 0; e < 2; e++)
            rdma_wait(ends[e]);
        for (int e = 0; e < 2; e++)
            expect(has_received(ends[e], seed + 1000 * (uint64_t)e, 70000));
        ranks.barrier();
    }
    rdma_close(ends[1]);
    rdma_close(ends[0]);
}

static void random_messages(void)
{
    struct rdma_end *end = open_end(&pairs[0], 100000, 10000, 1);
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
        struct rdma_end *end = open_end(&pairs[p], BYTES, 0, 1);
        struct rdma_copies copies;
        rdma_copies_begin();
        rdma_start_receive(end, BYTES);
        rdma_start_send(end, BYTES);
        rdma_wait(end);
        rdma_copies_end(&copies);
        bool device = end->config.place == RDMA_DEVICE;
        bool cpu = path == RDMA_PIPELINED_SHARED && end->config.place == RDMA_PAGEABLE;
        expect(copies.bytes[RDMA_COPY_ENGINE] == (device ? 2 * BYTES : 0));
        expect(copies.bytes[RDMA_COPY_CPU] == (cpu ? 2 * BYTES : 0));
        expect(copies.bytes[RDMA_COPY_DRIVER] == 0 && copies.bytes[RDMA_COPY_KERNEL] == 0);
        rdma_close(end);
    }
}

/* ---- what does not: each ends the program ---- */

static void different_sizes(void)
{
    struct rdma_end *end = open_end(&pairs[0], 1000, 100, 1);
    if (ranks.rank == 0)
        rdma_start_send(end, 990);
    else
        rdma_start_receive(end, 1000);
    rdma_wait(end);
    nap(0.5); /* the receiver ends both */
}

/* Rank 1 never starts its receive, and rank 0 has more to send than fits on the way. */
static void silence(void)
{
    struct rdma_end *end = open_end(&pairs[0], LARGEST, 1 << 20, 8);
    end->config.wait_limit_s = 0.5;
    if (ranks.rank == 0) {
        for (int n = 0; n < 8; n++)
            rdma_start_send(end, LARGEST);
        rdma_wait(end);
        fail("the wait returned, though nothing was received");
    }
    sleep(10);
}

/* ---- running ---- */

struct step {
    const char *name;
    void (*run)(void);
};
#define STEP(function)                                                                             \
    {                                                                                              \
#function, function                                                                        \
    }

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
                                        {0}};
    for (const struct step *step = steps; step->run; step++) {
        test_failed_checks = 0;
        step->run();
        bool failed = ranks.max(test_failed_checks) > 0;
        if (ranks.rank == 0)
            printf("%sok %s\n", failed ? "not " : "", step->name);
        fflush(stdout);
        test_failures += failed;
    }
}

int main(int argc, char **argv)
{
    static const struct step scenarios[] = {
        STEP(all), {"sizes", different_sizes}, {"silent", silence}, {0}};
    ranks_start(&argc, &argv);
    alarm(HANGS_AFTER_S);
    if (argc != 3 || ranks.count != 2)
        fail("usage: mpirun -np 2 %s all|sizes|silent pipelined|pipelined-shared", argv[0]);
    host = allocate_or_fail(LARGEST + 5, 1);
    path = strcmp(argv[2], "pipelined") == 0 ? RDMA_PIPELINED : RDMA_PIPELINED_SHARED;
    for (const struct step *scenario = scenarios; scenario->run; scenario++)
        if (strcmp(scenario->name, argv[1]) == 0)
            scenario->run();
    free(host);
    ranks.stop();
    return test_failures > 0;
}
