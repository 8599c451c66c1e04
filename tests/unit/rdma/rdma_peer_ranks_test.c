/* Started with mpirun by rdma_peer.bats on two ranks: rdma_peer_ranks_test all|one PATH. Rank 0
 * prints one line per check, which is right only if it is on both ranks. */
#include "rdma/count.h"
#include "rdma/peer.h"

#include "rdma_pair_test.h"

enum { LARGEST = (3 << 20) + 5 };

static int store_blocks;

/* ---- ends and data ---- */

static const struct pair pairs[] = {
    {{RDMA_DEVICE, RDMA_DEVICE}, false}, {{RDMA_DEVICE, RDMA_PINNED}, true},
    {{RDMA_PINNED, RDMA_DEVICE}, true},  {{RDMA_DEVICE, RDMA_PINNED}, false},
    {{RDMA_PINNED, RDMA_DEVICE}, false},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static struct rdma_end *open_pair(const struct pair *pair, size_t bytes, int window)
{
    struct rdma_config config = config_of(pair, bytes, window);
    config.store_blocks = store_blocks;
    return open_end(&config);
}

/* Both directions at once; then the sent block is overwritten, as rdma_wait permits. */
static void exchange(struct rdma_end *end, size_t bytes)
{
    seed++;
    poison_receive(end);
    fill_send(end, seed, bytes);
    ranks.barrier(); /* nothing comes before the poison */
    start_receive(end, bytes);
    start_send(end, bytes);
    wait_for_blocks(end);
    expect(end->config.device < 0 || cudaPeekAtLastError() == cudaSuccess);
    fill_send(end, ~seed, bytes);
    expect(has_received(end, seed, bytes));
}

/* ---- what works ---- */

static void every_size(void)
{
    static const size_t sizes[] = {0,    1,    13,    16,        17,    2047,    2048,
                                   2049, 4096, 65536, 65536 + 1, 65553, LARGEST, 5};
    for (int p = 0; p < PAIRS; p++) {
        struct rdma_end *end = open_pair(&pairs[p], LARGEST, 1);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            exchange(end, sizes[s]);
        rdma_close(end);
    }
}

/* One way, then the other, so that a direction also works while the other is silent. */
static void one_way(void)
{
    enum { BYTES = 50001 };
    for (int p = 0; p < PAIRS; p++) {
        struct rdma_end *end = open_pair(&pairs[p], BYTES, 1);
        for (int sender = 0; sender < 2; sender++) {
            seed++;
            poison_receive(end);
            fill_send(end, seed, BYTES);
            ranks.barrier();
            if (ranks.rank == sender)
                start_send(end, BYTES);
            else
                start_receive(end, BYTES);
            wait_for_blocks(end);
            expect(has_received(end, seed, ranks.rank == sender ? 0 : BYTES));
        }
        rdma_close(end);
    }
}

static size_t size_in_window(int n)
{
    return n == 0 ? 200000 : random_below(seed, (uint64_t)n, n % 2 ? 200001 : 3000);
}

/* Blocks that one thread block moves alone between such that all move; the first is the longest. */
static void windows(void)
{
    enum { WINDOW = 13, BYTES_MAX = 200000 };
    for (int p = 0; p < PAIRS; p++) {
        struct rdma_end *end = open_pair(&pairs[p], BYTES_MAX, WINDOW);
        for (int round = 0; round < 6; round++) {
            int messages = round < 5 ? WINDOW - 2 * round : WINDOW;
            seed++;
            poison_receive(end);
            fill_send(end, seed, BYTES_MAX);
            ranks.barrier();
            for (int n = 0; n < messages; n++)
                start_receive(end, size_in_window(n));
            for (int n = 0; n < messages; n++)
                start_send(end, size_in_window(n));
            wait_for_blocks(end);
            expect(has_received(end, seed, BYTES_MAX));
        }
        rdma_close(end);
    }
}

/* Nobody touches a buffer before its receive was started, however early the block is sent, and not
 * one block more than was started is moved. */
static void the_receiver_is_late(void)
{
    enum { BYTES = 200000, WINDOW = 3 };
    for (int p = 0; p < PAIRS; p++) {
        struct rdma_end *end = open_pair(&pairs[p], BYTES, WINDOW);
        for (int late = 0; late < 2; late++) {
            seed++;
            poison_receive(end);
            fill_send(end, seed, BYTES);
            ranks.barrier();
            if (ranks.rank == late)
                nap(0.01);
            expect(ranks.rank != late || has_received(end, seed, 0));
            for (int n = 0; n < WINDOW; n++) {
                if (ranks.rank == late)
                    start_receive(end, n == 0 ? 100 : BYTES);
                else
                    start_send(end, n == 0 ? 100 : BYTES);
                if (n == 0 && ranks.rank == late) {
                    nap(0.005);
                    expect(is_untouched_behind(end, 100)); /* these may be on their way */
                }
            }
            wait_for_blocks(end);
            fill_send(end, ~seed, BYTES);
            expect(has_received(end, seed, ranks.rank == late ? BYTES : 0));
        }
        rdma_close(end);
    }
}

/* Ends of all kinds at a time, also where the kernel of one has to wait until that of another has
 * left. */
static void several_ends(void)
{
    enum { ENDS = 3, BYTES = 70001 };
    struct rdma_end *ends[ENDS];
    for (int e = 0; e < ENDS; e++)
        ends[e] = open_pair(&pairs[e], BYTES, 1);
    for (int round = 0; round < 3; round++) {
        seed++;
        for (int e = 0; e < ENDS; e++) {
            poison_receive(ends[e]);
            fill_send(ends[e], seed + 1000 * (uint64_t)e, BYTES);
        }
        ranks.barrier();
        for (int e = 0; e < ENDS; e++)
            start_receive(ends[e], BYTES);
        for (int e = 0; e < ENDS; e++)
            start_send(ends[e], BYTES);
        for (int e = 0; e < ENDS; e++)
            wait_for_blocks(ends[e]);
        for (int e = 0; e < ENDS; e++)
            expect(has_received(ends[e], seed + 1000 * (uint64_t)e, BYTES));
    }
    for (int e = 0; e < ENDS; e++)
        rdma_close(ends[e]);
}

/* A kernel that stays would keep whatever waits for the whole GPU waiting: it leaves, and comes
 * back. */
static void the_gpu_can_rest(void)
{
    enum { BYTES = 100000 };
    for (int p = 0; p < PAIRS; p++) {
        struct rdma_end *end = open_pair(&pairs[p], BYTES, 1);
        for (int round = 0; round < 4; round++) {
            exchange(end, round % 2 ? BYTES : 10);
            if (end->config.device >= 0) {
                void *more = NULL;
                check_cuda(cudaMalloc(&more, 1 << 20));
                check_cuda(cudaMemset(more, 0, 1 << 20));
                check_cuda(cudaDeviceSynchronize());
                check_cuda(cudaFree(more));
            }
        }
        rdma_close(end);
    }
}

static void random_messages(void)
{
    struct rdma_end *end = open_pair(&pairs[0], 100000, 1);
    for (uint64_t n = 0; n < 100; n++)
        exchange(end, random_below(1, n, random_bits(2, n) % 2 ? 100001 : 100));
    rdma_close(end);
}

/* A byte is moved once, by the GPU that moves, and by nobody else. */
static void one_copy(void)
{
    enum { BYTES = 100000 };
    for (int p = 0; p < PAIRS; p++) {
        struct rdma_end *end = open_pair(&pairs[p], BYTES, 1);
        struct copies copies;
        copies_begin();
        start_receive(end, BYTES);
        start_send(end, BYTES);
        wait_for_blocks(end);
        copies_end(&copies);
        int moved = p == 0 ? 1 : end->config.place == RDMA_DEVICE ? 2 : 0;
        enum copier mover = path == RDMA_PEER_COPY ? COPIER_ENGINE : COPIER_KERNEL;
        for (int copier = 0; copier < COPIERS; copier++)
            expect(copies.bytes[copier] ==
                   (copier == (int)mover ? (size_t)moved * BYTES : (size_t)0));
        rdma_close(end);
    }
}

/* Also a kernel of one thread block, which does everything alone. */
static void numbers_of_blocks(void)
{
    for (store_blocks = 1; store_blocks < 8; store_blocks += 3) {
        struct rdma_end *end = open_pair(&pairs[0], LARGEST, 1);
        exchange(end, LARGEST);
        exchange(end, 100);
        exchange(end, 70000);
        rdma_close(end);
    }
    store_blocks = 0;
}

/* Both ranks hear of it. */
static void refusals(void)
{
    struct rdma_config config = config_of(&pairs[0], 1000, PEER_WINDOW_MAX);
    expect_ok(rdma_check(&config));
    config.window++;
    expect_error(rdma_check(&config), DM_INVALID,
                 "a window of 16385 blocks is more than the 16384");
    config.window = 1;
    config.store_blocks = 100000;
    if (path == RDMA_PEER_STORE)
        expect_error(rdma_check(&config), DM_UNAVAILABLE,
                     "100000 thread blocks (store_blocks) do not fit");
    else
        expect_ok(rdma_check(&config));
    config = config_of(&pairs[1], 1000, 1);
    config.place = ranks.rank == 0 ? RDMA_DEVICE : RDMA_PAGEABLE;
    config.peer_place = ranks.rank == 0 ? RDMA_PAGEABLE : RDMA_DEVICE;
    expect_error(rdma_check(&config), DM_INVALID, "does not go between");
}

/* More messages than a flag can count. */
static void long_series(void)
{
    enum { WINDOW = 1000, ROUNDS = PEER_LANES * PEER_NUMBERS / WINDOW + 3 };
    struct rdma_end *end = open_pair(&pairs[0], 64, WINDOW);
    for (int round = 0; round < ROUNDS; round++) {
        for (int n = 0; n < WINDOW && ranks.rank == 0; n++)
            start_send(end, round % 2 ? 0 : 8);
        for (int n = 0; n < WINDOW && ranks.rank == 1; n++)
            start_receive(end, round % 2 ? 0 : 8);
        wait_for_blocks(end);
    }
    exchange(end, 64);
    rdma_close(end);
}

/* ---- what does not work ---- */

/* The moving rank sees it; the other one does not hear of it before its limit, and the end of
 * neither can be used any more. */
static void different_sizes(void)
{
    struct rdma_end *end = open_pair(&pairs[0], 1000, 1);
    if (ranks.rank == 0) {
        enum dm_status status = rdma_start_send(end, 990);
        expect_error(status != DM_OK ? status : rdma_wait(end), DM_INVALID,
                     "rank 0 sends 990 bytes where the other rank receives 1000 (path ");
        expect_error(rdma_start_send(end, 10), DM_INVALID, "has failed before: close it");
        expect_error(rdma_wait(end), DM_INVALID, "has failed before: close it");
    } else {
        end->contact.wait_limit_s = 0.1;
        expect_error(rdma_receive(end, 1000), DM_TIMEOUT, "for a block from rank 0");
        end->contact.wait_limit_s = 20;
    }
    rdma_close(end);
}

/* What was started goes on after the limit. */
static void a_wait_can_be_repeated(void)
{
    struct rdma_end *end = open_pair(&pairs[0], 1000, 1);
    fill_send(end, ++seed, 1000);
    if (ranks.rank == 0) {
        end->contact.wait_limit_s = 0.1;
        expect_error(rdma_send(end, 1000), DM_TIMEOUT,
                     "waited 0.1 s for the receipt of a block from rank 1 (path peer-");
        end->contact.wait_limit_s = 20;
    }
    ranks.barrier();
    if (ranks.rank == 1)
        expect_ok(rdma_start_receive(end, 1000));
    expect_ok(rdma_wait(end));
    expect(ranks.rank == 0 || has_received(end, seed, 1000));
    rdma_close(end);
}

/* ---- running ---- */

static void all(void)
{
    static const struct step steps[] = {STEP(every_size),      STEP(one_way),
                                        STEP(windows),         STEP(the_receiver_is_late),
                                        STEP(several_ends),    STEP(the_gpu_can_rest),
                                        STEP(one_copy),        STEP(random_messages),
                                        STEP(different_sizes), STEP(long_series),
                                        STEP(refusals),        STEP(a_wait_can_be_repeated)};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        run_step(&steps[i]);
    if (path == RDMA_PEER_STORE)
        run_step(&(struct step)STEP(numbers_of_blocks));
}

static void one(void)
{
    run_step(&(struct step)STEP(every_size));
}

int main(int argc, char **argv)
{
    static const enum rdma_path paths[] = {RDMA_PEER_COPY, RDMA_PEER_STORE};
    static const struct step scenarios[] = {STEP(all), STEP(one), {0}};
    return run_scenario(argc, argv, scenarios, paths, LARGEST);
}
