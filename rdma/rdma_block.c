#include "rdma_block.h"

#include "clock.h"
#include "memory.h"
#include "random.h"
#include "rdma_internal.h"
#include "rdma_kernels.h"

#include <stdlib.h>
#include <string.h>

/* ---- requests and acknowledgements ---- */

static void tell(const struct rdma_block *block, uint64_t bytes, const char *what)
{
    MPI_Request request;
    check_mpi(
        MPI_Isend(&bytes, 1, MPI_UINT64_T, 1 - ranks.rank, 0, block->site->messages, &request));
    rdma_wait_request(block->end, &request, what);
}

static size_t hear(const struct rdma_block *block, const char *what)
{
    uint64_t bytes = 0;
    MPI_Request request;
    check_mpi(
        MPI_Irecv(&bytes, 1, MPI_UINT64_T, 1 - ranks.rank, 0, block->site->messages, &request));
    rdma_wait_request(block->end, &request, what);
    return bytes;
}

/* ---- steps ---- */

static size_t bytes_of(const struct rdma_block *block)
{
    return block->elements * sizeof(uint64_t);
}

static void send_block(const struct rdma_block *block, size_t bytes)
{
    rdma_start_send(block->end, bytes);
    rdma_wait(block->end);
}

static void receive_block(const struct rdma_block *block)
{
    rdma_start_receive(block->end, bytes_of(block));
    rdma_wait(block->end);
}

/* The request goes first: a path may do all of its work when the receive starts. */
static void get(const struct rdma_block *block)
{
    if (ranks.rank == RDMA_WORKER) {
        tell(block, bytes_of(block), "room for a request");
        receive_block(block);
        return;
    }
    size_t wanted = hear(block, "a request");
    if (wanted > bytes_of(block))
        fail("rank %d was asked for %zu bytes of a block of %zu bytes", ranks.rank, wanted,
             bytes_of(block));
    send_block(block, wanted);
}

static void put(const struct rdma_block *block)
{
    if (ranks.rank == RDMA_SERVER) {
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
static void work(const struct rdma_block *block)
{
    uint64_t *result = rdma_send_buffer(block->end);
    const uint64_t *from = rdma_receive_buffer(block->end);
    for (int i = 0; i < block->site->steps.work; i++, from = result)
        check_cuda(rdma_scale(result, from, block->elements, block->site->stream));
    check_cuda(cudaStreamSynchronize(block->site->stream));
}

void rdma_block_settle(const struct rdma_block_site *site)
{
    if (ranks.rank != RDMA_WORKER)
        return;
    check_cuda(rdma_scale(NULL, NULL, 0, site->stream));
    check_cuda(cudaStreamSynchronize(site->stream));
}

static void add_times(struct rdma_block *block, struct rdma_block_times times)
{
    if (block->samples == block->capacity) {
        block->capacity = block->capacity ? 2 * block->capacity : 64;
        block->times = realloc(block->times, block->capacity * sizeof times);
        if (!block->times)
            fail("no host memory for the times of %zu samples: choose fewer with -n",
                 block->capacity);
    }
    block->times[block->samples++] = times;
}

double rdma_block_sample(void *context)
{
    struct rdma_block *block = context;
    const struct rdma_block_steps *steps = &block->site->steps;
    bool works = steps->work > 0 && ranks.rank == RDMA_WORKER;
    double copy_s = block->end->copy_s, start_s = clock_now_s();
    if (steps->get)
        get(block);
    double got_s = steps->get ? clock_now_s() : start_s;
    if (works)
        work(block);
    double worked_s = works ? clock_now_s() : got_s;
    if (steps->put)
        put(block);
    double end_s = steps->put ? clock_now_s() : worked_s;
    add_times(block, (struct rdma_block_times){.get_s = got_s - start_s,
                                               .compute_s = worked_s - got_s,
                                               .put_s = end_s - worked_s,
                                               .copies_s = block->end->copy_s - copy_s});
    return ranks.rank == RDMA_WORKER ? end_s - start_s : 0.0;
}

/* ---- random data and their check ---- */

/* cudaMemcpy would wait for the kernel of another path, if its stream is an ordinary one. */
static void copy(const struct rdma_block *block, void *to, const void *from)
{
    check_cuda(cudaMemcpyAsync(to, from, bytes_of(block), cudaMemcpyDefault, block->site->stream));
    check_cuda(cudaStreamSynchronize(block->site->stream));
}

void rdma_block_fill(struct rdma_block *block, uint64_t seed)
{
    bool device = block->place == RDMA_DEVICE;
    uint64_t *to_send = rdma_send_buffer(block->end), *received = rdma_receive_buffer(block->end);
    uint64_t *values = device ? block->site->staging : to_send;
    uint64_t *other = device ? block->site->staging : received;

    for (int rank = 0; rank < 2; rank++)
        block->seeds[rank] = random_bits(seed, (uint64_t)rank);
    random_fill_bytes(values, bytes_of(block), block->seeds[ranks.rank]);
    if (device)
        copy(block, to_send, values);
    memset(other, 0xff, bytes_of(block));
    if (device)
        copy(block, received, other);
}

/* Numbers of the receive buffer that are not those of `seed`, times `factor`. */
static long count_wrong(const struct rdma_block *block, uint64_t seed, uint64_t factor)
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
        factor *= RDMA_SCALE_FACTOR;
    return factor;
}

long rdma_block_wrong(const struct rdma_block *block)
{
    const struct rdma_block_steps *steps = &block->site->steps;
    long mine = 0, sum = 0;
    if (steps->get && ranks.rank == RDMA_WORKER)
        mine = count_wrong(block, block->seeds[RDMA_SERVER], 1);
    if (steps->put && ranks.rank == RDMA_SERVER)
        mine = count_wrong(block, block->seeds[steps->work > 0 ? RDMA_SERVER : RDMA_WORKER],
                           factor_of(steps->work));
    check_mpi(MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, block->site->messages));
    return sum;
}
