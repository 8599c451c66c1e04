#include "block.h"

#include <string.h>

#include "common/clock.h"
#include "common/harness/allocate.h"
#include "common/random.h"

#include "path.h"
#include "scale.h"

/* ---- what all blocks share ---- */

struct block_site block_site_open(struct block_steps steps, size_t elements_max)
{
    struct block_site site = {.steps = steps};
    check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &site.messages));
    if (ranks.rank != WORKER)
        return site;
    check_cuda(cudaStreamCreateWithFlags(&site.stream, cudaStreamNonBlocking));
    site.staging = memory_allocate(MEMORY_PINNED, elements_max * sizeof *site.staging);
    return site;
}

void block_site_close(struct block_site *site)
{
    check_mpi(MPI_Comm_free(&site->messages));
    if (ranks.rank != WORKER)
        return;
    memory_release(MEMORY_PINNED, site->staging);
    check_cuda(cudaStreamDestroy(site->stream));
}

void block_settle(const struct block_site *site)
{
    if (ranks.rank != WORKER)
        return;
    check_cuda(scale(NULL, NULL, 0, site->stream));
    check_cuda(cudaStreamSynchronize(site->stream));
}

/* ---- requests and acknowledgements ---- */

static void tell(const struct block *block, uint64_t bytes, const char *what)
{
    MPI_Request request;
    check_mpi(
        MPI_Isend(&bytes, 1, MPI_UINT64_T, 1 - ranks.rank, 0, block->site->messages, &request));
    check_status(requests_wait(&block->end->contact, &request, 1, what));
}

static size_t hear(const struct block *block, const char *what)
{
    uint64_t bytes = 0;
    MPI_Request request;
    check_mpi(
        MPI_Irecv(&bytes, 1, MPI_UINT64_T, 1 - ranks.rank, 0, block->site->messages, &request));
    check_status(requests_wait(&block->end->contact, &request, 1, what));
    return bytes;
}

/* ---- steps ---- */

static size_t bytes_of(const struct block *block)
{
    return block->elements * sizeof(uint64_t);
}

static void send_block(const struct block *block, size_t bytes)
{
    start_send(block->end, bytes);
    wait_for_blocks(block->end);
}

static void receive_block(const struct block *block)
{
    start_receive(block->end, bytes_of(block));
    wait_for_blocks(block->end);
}

/* The request goes first: a path may do all of its work when the receive starts. */
static void get(const struct block *block)
{
    if (ranks.rank == WORKER) {
        tell(block, bytes_of(block), "room for a request");
        receive_block(block);
        return;
    }
    size_t requested = hear(block, "a request");
    if (requested > bytes_of(block))
        fail("rank %d got a request for %zu bytes of a block of %zu bytes", ranks.rank, requested,
             bytes_of(block));
    send_block(block, requested);
}

static void put(const struct block *block)
{
    if (ranks.rank == SERVER) {
        receive_block(block);
        tell(block, bytes_of(block), "room for an acknowledgement");
        return;
    }
    send_block(block, bytes_of(block));
    size_t stored = hear(block, "an acknowledgement");
    if (stored != bytes_of(block))
        fail("rank %d put %zu bytes, and the server acknowledged %zu", ranks.rank, bytes_of(block),
             stored);
}

/* The first kernel takes the block out of the receive buffer. */
static void work(const struct block *block)
{
    uint64_t *result = rdma_send_buffer(block->end);
    const uint64_t *from = rdma_receive_buffer(block->end);
    for (int i = 0; i < block->site->steps.work; i++, from = result)
        check_cuda(scale(result, from, block->elements, block->site->stream));
    check_cuda(cudaStreamSynchronize(block->site->stream));
}

double block_sample(struct block *block)
{
    const struct block_steps *steps = &block->site->steps;
    bool works = steps->work > 0 && ranks.rank == WORKER;
    double copies_s = rdma_staging_s(block->end), start_s = clock_now_s();
    if (steps->get)
        get(block);
    double got_s = steps->get ? clock_now_s() : start_s;
    if (works)
        work(block);
    double worked_s = works ? clock_now_s() : got_s;
    if (steps->put)
        put(block);
    double end_s = steps->put ? clock_now_s() : worked_s;
    block->times = (struct block_times){.get_s = got_s - start_s,
                                        .compute_s = worked_s - got_s,
                                        .put_s = end_s - worked_s,
                                        .copies_s = rdma_staging_s(block->end) - copies_s};
    return ranks.rank == WORKER ? end_s - start_s : 0.0;
}

/* ---- random data and their check ---- */

/* cudaMemcpy would wait for the kernel of another path, if its stream is an ordinary one. */
static void copy(const struct block *block, void *to, const void *from)
{
    check_cuda(cudaMemcpyAsync(to, from, bytes_of(block), cudaMemcpyDefault, block->site->stream));
    check_cuda(cudaStreamSynchronize(block->site->stream));
}

void block_fill(struct block *block, uint64_t seed)
{
    bool is_device = block->place == RDMA_DEVICE;
    uint64_t *to_send = rdma_send_buffer(block->end), *received = rdma_receive_buffer(block->end);
    uint64_t *values = is_device ? block->site->staging : to_send;
    uint64_t *other = is_device ? block->site->staging : received;

    for (int rank = 0; rank < 2; rank++)
        block->seeds[rank] = random_bits(seed, (uint64_t)rank);
    random_fill_bytes(values, bytes_of(block), block->seeds[ranks.rank]);
    if (is_device)
        copy(block, to_send, values);
    memset(other, 0xff, bytes_of(block));
    if (is_device)
        copy(block, received, other);
}

/* Numbers of the receive buffer that are not those of `seed`, times `factor`. */
static long count_wrong(const struct block *block, uint64_t seed, uint64_t factor)
{
    const uint64_t *values = rdma_receive_buffer(block->end);
    long wrong = 0;
    if (block->place == RDMA_DEVICE) {
        copy(block, block->site->staging, values);
        values = block->site->staging;
    }
    for (size_t i = 0; i < block->elements; i++)
        wrong += values[i] != factor * random_bits(seed, i);
    return wrong;
}

static uint64_t factor_of(int work)
{
    uint64_t factor = 1;
    for (int i = 0; i < work; i++)
        factor *= SCALE_FACTOR;
    return factor;
}

long block_count_wrong(const struct block *block)
{
    const struct block_steps *steps = &block->site->steps;
    long mine = 0, sum = 0;
    if (steps->get && ranks.rank == WORKER)
        mine = count_wrong(block, block->seeds[SERVER], 1);
    if (steps->put && ranks.rank == SERVER)
        mine = count_wrong(block, block->seeds[steps->work > 0 ? SERVER : WORKER],
                           factor_of(steps->work));
    check_mpi(MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, block->site->messages));
    return sum;
}
