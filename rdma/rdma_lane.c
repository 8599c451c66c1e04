#include "rdma_lane.h"

#include "ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- chunks ---- */

/* n bytes in chunks of c, through two stages of b byte/s that work at the same time, with t for
 * each chunk: (n / c + 1) (c / b + t), least at c = sqrt(n b t). What b and t are hardly matters:
 * t is about 4 us (two copies started, two events looked at) at 50 GB/s of a GPU's engines, and
 * about 20 us at 10 GB/s of messages within a host; b t is about 256 KiB in both cases. More than
 * 4 MiB gains nothing, and a smaller ring stays in the processor's cache. */
size_t rdma_good_chunk(size_t message_bytes)
{
    static const size_t cost_bytes = 256 << 10, most_bytes = 4 << 20, page_bytes = 4096;
    size_t best = (size_t)sqrt((double)message_bytes * (double)cost_bytes);

    if (best < cost_bytes)
        best = cost_bytes;
    if (best > most_bytes)
        best = most_bytes;
    return (best + page_bytes - 1) / page_bytes * page_bytes;
}

size_t rdma_largest_chunk(const struct rdma_config *config)
{
    size_t chunk = config->chunk_bytes ? config->chunk_bytes : rdma_good_chunk(config->bytes);
    return chunk < config->bytes ? chunk : config->bytes;
}

static struct rdma_chunk next_chunk(const struct rdma_lane *lane)
{
    size_t message_bytes = lane->messages[lane->cut % (size_t)lane->end->config.window];
    size_t most = lane->chunk_bytes ? lane->chunk_bytes : rdma_good_chunk(message_bytes);
    size_t rest = message_bytes - lane->offset;

    return (struct rdma_chunk){lane->offset, rest < most ? rest : most, message_bytes};
}

/* ---- stages ---- */

/* A message of 0 bytes is one empty chunk: it, too, is not received before it was sent. */
static bool begin_chunk(struct rdma_lane *lane)
{
    if (lane->cut == lane->added || lane->begun - lane->finished == RDMA_LANE_DEPTH)
        return false;
    int slot = (int)(lane->begun % RDMA_LANE_DEPTH);
    lane->chunks[slot] = next_chunk(lane);
    if (!lane->stages->begin(lane, slot))
        return false;
    lane->begun++;
    lane->offset += lane->chunks[slot].bytes;
    if (lane->offset == lane->chunks[slot].message_bytes) {
        lane->cut++;
        lane->offset = 0;
    }
    return true;
}

static bool pass_chunk(struct rdma_lane *lane)
{
    if (lane->passed == lane->begun ||
        !lane->stages->pass(lane, (int)(lane->passed % RDMA_LANE_DEPTH)))
        return false;
    lane->passed++;
    return true;
}

static bool finish_chunk(struct rdma_lane *lane)
{
    if (lane->finished == lane->passed ||
        !lane->stages->finish(lane, (int)(lane->finished % RDMA_LANE_DEPTH)))
        return false;
    lane->finished++;
    return true;
}

/* One step of each stage: a chunk that the CPU copies is on its way before the next is begun, and
 * neither direction holds up the other. */
static bool progress(struct rdma_lane *lane)
{
    bool begun = begin_chunk(lane), passed = pass_chunk(lane), finished = finish_chunk(lane);
    return begun || passed || finished;
}

static bool is_through(const struct rdma_lane *lane)
{
    return lane->cut == lane->added && lane->finished == lane->begun;
}

/* ---- what a path calls ---- */

void rdma_lane_open(struct rdma_lane *lane, const struct rdma_end *end, void *block,
                    size_t chunk_bytes, const struct rdma_lane_stages *stages, void *wire)
{
    *lane = (struct rdma_lane){
        .stages = stages,
        .end = end,
        .wire = wire,
        .block = block,
        .chunk_bytes = chunk_bytes,
        .messages = allocate_or_fail((unsigned long)end->config.window, sizeof *lane->messages)};
    if (end->config.place != RDMA_DEVICE)
        return;
    check_cuda(cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking));
    for (int slot = 0; slot < RDMA_LANE_DEPTH; slot++)
        check_cuda(cudaEventCreateWithFlags(&lane->copied[slot], cudaEventDisableTiming));
}

void rdma_lane_close(struct rdma_lane *lane)
{
    if (lane->stream) {
        for (int slot = 0; slot < RDMA_LANE_DEPTH; slot++)
            check_cuda(cudaEventDestroy(lane->copied[slot]));
        check_cuda(cudaStreamDestroy(lane->stream));
    }
    free(lane->messages);
}

static void start(struct rdma_lane *lane, size_t bytes)
{
    size_t window = (size_t)lane->end->config.window;

    lane->messages[lane->added++ % window] = bytes;
    for (int chunks = 0; chunks < RDMA_LANE_DEPTH && progress(lane); chunks++)
        ;
}

void rdma_lanes_start_receive(struct rdma_end *end, size_t bytes)
{
    struct rdma_lanes *lanes = end->state;
    start(&lanes->receive, bytes);
}

void rdma_lanes_start_send(struct rdma_end *end, size_t bytes)
{
    struct rdma_lanes *lanes = end->state;
    start(&lanes->send, bytes);
}

/* The limit is for silence, not for a long block: it begins anew with every step forward. */
static struct rdma_patience be_patient(const struct rdma_end *end)
{
    const struct rdma_lanes *lanes = end->state;
    return rdma_be_patient(&end->config,
                           is_through(&lanes->receive) ? "room for a block" : "a block");
}

void rdma_lanes_wait(struct rdma_end *end)
{
    struct rdma_lanes *lanes = end->state;
    struct rdma_patience patience = be_patient(end);

    for (;;) {
        bool sent = progress(&lanes->send), received = progress(&lanes->receive);
        if (is_through(&lanes->send) && is_through(&lanes->receive))
            return;
        if (sent || received)
            patience = be_patient(end);
        else
            rdma_pause(&patience);
    }
}

void rdma_lane_copy(struct rdma_lane *lane, int slot, void *to, const void *from)
{
    size_t bytes = lane->chunks[slot].bytes;

    if (!lane->stream) {
        memcpy(to, from, bytes);
        rdma_count_copy(RDMA_COPY_CPU, bytes);
        return;
    }
    if (bytes)
        rdma_copy_async(to, from, bytes, false, lane->stream);
    check_cuda(cudaEventRecord(lane->copied[slot], lane->stream));
}

bool rdma_lane_copied(struct rdma_lane *lane, int slot)
{
    return !lane->stream || rdma_gpu_is_done(cudaEventQuery(lane->copied[slot]));
}

void rdma_lane_check_size(const struct rdma_lane *lane, size_t sent, size_t expected)
{
    if (sent != expected)
        fail("rank %d receives %zu bytes where the other rank sends %zu (path %s): both must name "
             "the same size",
             ranks.rank, expected, sent, rdma_path_name(lane->end->config.path));
}
