/* The blocks that rdma_get, rdma_put and rdma_total move: that their check sees what is wrong, on
 * either rank. Two ranks. */
#include "memory.h"
#include "ranks.h"
#include "rdma_block.h"
#include "test.h"

#include <stdlib.h>

enum { ELEMENTS = 1000 };
static struct rdma_block_site site;

static struct rdma_block open_block(enum rdma_path path, struct rdma_block_steps steps)
{
    enum rdma_place places[] = {path == RDMA_HOST ? RDMA_PAGEABLE : RDMA_DEVICE, RDMA_PAGEABLE};
    struct rdma_config config = {.path = path,
                                 .ranks = MPI_COMM_WORLD,
                                 .peer = 1 - ranks.rank,
                                 .place = places[ranks.rank],
                                 .peer_place = places[1 - ranks.rank],
                                 .device = ranks.rank == RDMA_WORKER ? 0 : -1,
                                 .bytes = ELEMENTS * sizeof(uint64_t),
                                 .window = 1,
                                 .wait_limit_s = 20.0};
    site.steps = steps;
    struct rdma_block block = {
        .site = &site, .end = rdma_open(&config), .place = config.place, .elements = ELEMENTS};
    rdma_block_fill(&block, 7);
    return block;
}

static void close_block(struct rdma_block *block)
{
    rdma_close(block->end);
    free(block->times);
}

/* Another number at `i` of the receive buffer of `rank`. */
static void spoil(const struct rdma_block *block, int rank, size_t i)
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

static void check_a_spoiled_number(enum rdma_path path, struct rdma_block_steps steps, int receiver)
{
    const size_t places[] = {0, 1, ELEMENTS / 2, ELEMENTS - 1};
    struct rdma_block block = open_block(path, steps);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        rdma_block_sample(&block);
        expect(rdma_block_wrong(&block) == 0);
        spoil(&block, receiver, places[i]);
        expect(rdma_block_wrong(&block) == 1);
    }
    close_block(&block);
}

static void a_wrong_number_is_seen_by_get(void)
{
    struct rdma_block_steps steps = {.get = true};
    check_a_spoiled_number(RDMA_HOST, steps, RDMA_WORKER);
    check_a_spoiled_number(RDMA_STAGED, steps, RDMA_WORKER);
}

static void a_wrong_number_is_seen_by_put(void)
{
    struct rdma_block_steps steps = {.put = true};
    check_a_spoiled_number(RDMA_HOST, steps, RDMA_SERVER);
    check_a_spoiled_number(RDMA_STAGED, steps, RDMA_SERVER);
}

static void a_wrong_number_is_seen_on_both_sides_of_the_whole_operation(void)
{
    struct rdma_block_steps steps = {.get = true, .work = 2, .put = true};
    check_a_spoiled_number(RDMA_STAGED, steps, RDMA_WORKER);
    check_a_spoiled_number(RDMA_STAGED, steps, RDMA_SERVER);
}

static void a_block_that_did_not_move_is_seen(void)
{
    struct rdma_block block =
        open_block(RDMA_STAGED, (struct rdma_block_steps){.get = true, .put = true});
    expect(rdma_block_wrong(&block) == 2 * ELEMENTS);
    rdma_block_sample(&block);
    expect(rdma_block_wrong(&block) == 0);
    rdma_block_fill(&block, 8);
    expect(rdma_block_wrong(&block) == 2 * ELEMENTS);
    close_block(&block);
}

static void a_kernel_too_many_or_too_few_is_seen(void)
{
    for (int done = 0; done < 4; done++) {
        struct rdma_block_steps steps = {.get = true, .work = done, .put = true};
        struct rdma_block block = open_block(RDMA_STAGED, steps);
        rdma_block_sample(&block);
        for (int expected = 0; expected < 4; expected++) {
            site.steps.work = expected;
            expect(rdma_block_wrong(&block) == (done == expected ? 0 : ELEMENTS));
        }
        close_block(&block);
    }
}

static void times_are_those_of_the_steps(void)
{
    struct rdma_block_steps steps = {.get = true, .work = 1, .put = true};
    struct rdma_block block = open_block(RDMA_STAGED, steps);
    bool worker = ranks.rank == RDMA_WORKER;
    for (size_t i = 0; i < 3; i++) {
        double time_s = rdma_block_sample(&block);
        struct rdma_block_times times = block.times[i];
        double sum_s = times.get_s + times.compute_s + times.put_s;
        expect(block.samples == i + 1);
        expect(worker ? time_s > 0 && sum_s > 0.999999 * time_s && sum_s < 1.000001 * time_s
                      : time_s == 0);
        expect(times.copies_s <= times.get_s + times.put_s);
        expect(!worker || (times.get_s > 0 && times.compute_s > 0 && times.put_s > 0));
        expect((times.copies_s > 0) == worker);
    }
    close_block(&block);
}

static void open_site(void)
{
    check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &site.messages));
    if (ranks.rank != RDMA_WORKER)
        return;
    check_cuda(cudaStreamCreateWithFlags(&site.stream, cudaStreamNonBlocking));
    site.staging = memory_allocate(MEMORY_PINNED, ELEMENTS * sizeof(uint64_t));
}

static void close_site(void)
{
    check_mpi(MPI_Comm_free(&site.messages));
    if (ranks.rank != RDMA_WORKER)
        return;
    check_cuda(cudaStreamDestroy(site.stream));
    memory_release(MEMORY_PINNED, site.staging);
}

int main(int argc, char **argv)
{
    ranks_start(&argc, &argv);
    if (ranks.count != 2)
        fail("start it with mpirun -np 2");
    open_site();
    run_test(a_wrong_number_is_seen_by_get);
    run_test(a_wrong_number_is_seen_by_put);
    run_test(a_wrong_number_is_seen_on_both_sides_of_the_whole_operation);
    run_test(a_block_that_did_not_move_is_seen);
    run_test(a_kernel_too_many_or_too_few_is_seen);
    run_test(times_are_those_of_the_steps);
    close_site();
    int code = end_tests();
    ranks.stop();
    return code;
}
