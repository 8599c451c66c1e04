/* The blocks that rdma_get, rdma_put and rdma_total move: that their check sees what is wrong, on
 * either rank. Two ranks. */
#include "rdma/block.h"
#include "tests/unit/test.h"

enum { ELEMENTS = 1000 };
static struct block_site site;

static struct block open_block(enum rdma_path path, struct block_steps steps)
{
    enum rdma_place places[] = {path == RDMA_HOST ? RDMA_PAGEABLE : RDMA_DEVICE, RDMA_PAGEABLE};
    struct rdma_config config = {.path = path,
                                 .ranks = MPI_COMM_WORLD,
                                 .peer = 1 - ranks.rank,
                                 .place = places[ranks.rank],
                                 .peer_place = places[1 - ranks.rank],
                                 .device = ranks.rank == WORKER ? 0 : -1,
                                 .bytes = ELEMENTS * sizeof(uint64_t),
                                 .window = 1,
                                 .wait_limit_s = 20.0};
    site.steps = steps;
    struct block block = {
        .site = &site, .end = open_end(&config), .place = config.place, .elements = ELEMENTS};
    block_fill(&block, 7);
    return block;
}

/* Another number at `i` of the receive buffer of `rank`. */
static void spoil(const struct block *block, int rank, size_t i)
{
    uint64_t *values = rdma_receive_buffer(block->end), value;
    if (ranks.rank != rank)
        return;
    if (block->place != RDMA_DEVICE) {
        values[i] ^= 1;
        return;
    }
    check_cuda(cudaMemcpy(&value, &values[i], sizeof value, cudaMemcpyDeviceToHost));
    value ^= 1;
    check_cuda(cudaMemcpy(&values[i], &value, sizeof value, cudaMemcpyHostToDevice));
}

static void check_a_spoiled_number(enum rdma_path path, struct block_steps steps, int receiver)
{
    const size_t places[] = {0, 1, ELEMENTS / 2, ELEMENTS - 1};
    struct block block = open_block(path, steps);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        block_sample(&block);
        expect(block_count_wrong(&block) == 0);
        spoil(&block, receiver, places[i]);
        expect(block_count_wrong(&block) == 1);
    }
    rdma_close(block.end);
}

static void a_wrong_number_is_seen_by_get(void)
{
    struct block_steps steps = {.get = true};
    check_a_spoiled_number(RDMA_HOST, steps, WORKER);
    check_a_spoiled_number(RDMA_STAGED, steps, WORKER);
}

static void a_wrong_number_is_seen_by_put(void)
{
    struct block_steps steps = {.put = true};
    check_a_spoiled_number(RDMA_HOST, steps, SERVER);
    check_a_spoiled_number(RDMA_STAGED, steps, SERVER);
}

static void a_wrong_number_is_seen_on_both_sides_of_the_whole_operation(void)
{
    struct block_steps steps = {.get = true, .work = 2, .put = true};
    check_a_spoiled_number(RDMA_STAGED, steps, WORKER);
    check_a_spoiled_number(RDMA_STAGED, steps, SERVER);
}

static void a_block_that_did_not_move_is_seen(void)
{
    struct block block = open_block(RDMA_STAGED, (struct block_steps){.get = true, .put = true});
    expect(block_count_wrong(&block) == 2 * ELEMENTS);
    block_sample(&block);
    expect(block_count_wrong(&block) == 0);
    block_fill(&block, 8);
    expect(block_count_wrong(&block) == 2 * ELEMENTS);
    rdma_close(block.end);
}

static void a_kernel_too_many_or_too_few_is_seen(void)
{
    for (int done = 0; done < 4; done++) {
        struct block_steps steps = {.get = true, .work = done, .put = true};
        struct block block = open_block(RDMA_STAGED, steps);
        block_sample(&block);
        for (int expected = 0; expected < 4; expected++) {
            site.steps.work = expected;
            expect(block_count_wrong(&block) == (done == expected ? 0 : ELEMENTS));
        }
        rdma_close(block.end);
    }
}

static void times_are_those_of_the_steps(void)
{
    struct block_steps steps = {.get = true, .work = 1, .put = true};
    struct block block = open_block(RDMA_STAGED, steps);
    bool worker = ranks.rank == WORKER;
    for (int i = 0; i < 3; i++) {
        double time_s = block_sample(&block);
        struct block_times times = block.times;
        double sum_s = times.get_s + times.compute_s + times.put_s;
        expect(worker ? time_s > 0 && sum_s > 0.999999 * time_s && sum_s < 1.000001 * time_s
                      : time_s == 0);
        expect(times.copies_s <= times.get_s + times.put_s);
        expect(!worker || (times.get_s > 0 && times.compute_s > 0 && times.put_s > 0));
        expect((times.copies_s > 0) == worker);
    }
    rdma_close(block.end);
}

int main(int argc, char **argv)
{
    ranks_start(&argc, &argv);
    if (ranks.count != 2)
        fail("start it with mpirun -np 2");
    site = block_site_open((struct block_steps){0}, ELEMENTS);
    run_test(a_wrong_number_is_seen_by_get);
    run_test(a_wrong_number_is_seen_by_put);
    run_test(a_wrong_number_is_seen_on_both_sides_of_the_whole_operation);
    run_test(a_block_that_did_not_move_is_seen);
    run_test(a_kernel_too_many_or_too_few_is_seen);
    run_test(times_are_those_of_the_steps);
    block_site_close(&site);
    int code = end_tests();
    ranks.stop();
    return code;
}
