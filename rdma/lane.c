#include "lane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/error_cuda.h"

#include "count.h"

/* ---- chunks ---- */

/* n bytes in chunks of c, through two stages of b byte/s that work at the same time, with t for
 * each chunk: (n / c + 1) (c / b + t), smallest at c = sqrt(n b t). What b and t are hardly
 * matters: t is about 4 us (two copies started, two events looked at) at 50 GB/s of a GPU's
 * engines, and about 20 us at 10 GB/s of messages within a host; b t is about 256 KiB in both
 * cases. More than 4 MiB gains nothing, and a smaller ring stays in the processor's cache. */
size_t lane_good_chunk(size_t message_bytes)
{
    static const size_t cost_bytes = 256 << 10, chunk_max = 4 << 20, page_bytes = 4096;
    size_t best = (size_t)sqrt((double)message_bytes * (double)cost_bytes);
    if (best < cost_bytes)
        best = cost_bytes;
    return round_up(best < chunk_max ? best : chunk_max, page_bytes);
}

size_t lane_largest_chunk(const struct rdma_config *config)
{
    size_t chunk = config->chunk_bytes ? config->chunk_bytes : lane_good_chunk(config->bytes);
    return chunk < config->bytes ? chunk : config->bytes;
}

static struct chunk next_chunk(const struct lane *lane)
{
    size_t message_bytes = lane->messages[lane->cut % (size_t)lane->end->config.window];
    size_t largest = lane->chunk_bytes ? lane->chunk_bytes : lane_good_chunk(message_bytes);
    size_t rest = message_bytes - lane->offset;
    return (struct chunk){lane->offset, rest < largest ? rest : largest, message_bytes};
}

/* ---- stages ---- */

/* A message of 0 bytes is one empty chunk: it, too, is not received before it was sent. */
static enum dm_status begin_chunk(struct lane *lane, bool *has_moved)
{
    bool went_on = false;
    if (lane->cut == lane->added || lane->begun - lane->finished == LANE_DEPTH)
        return DM_OK;
    int slot = (int)(lane->begun % LANE_DEPTH);
    lane->chunks[slot] = next_chunk(lane);
    TRY(lane->stages->begin(lane, slot, &went_on));
    if (!went_on)
        return DM_OK;
    lane->begun++;
    lane->offset += lane->chunks[slot].bytes;
    if (lane->offset == lane->chunks[slot].message_bytes) {
        lane->cut++;
        lane->offset = 0;
    }
    *has_moved = true;
    return DM_OK;
}

static enum dm_status pass_chunk(struct lane *lane, bool *has_moved)
{
    bool went_on = false;
    if (lane->passed == lane->begun)
        return DM_OK;
    TRY(lane->stages->pass(lane, (int)(lane->passed % LANE_DEPTH), &went_on));
    lane->passed += went_on;
    *has_moved |= went_on;
    return DM_OK;
}

static enum dm_status finish_chunk(struct lane *lane, bool *has_moved)
{
    bool went_on = false;
    if (lane->finished == lane->passed)
        return DM_OK;
    TRY(lane->stages->finish(lane, (int)(lane->finished % LANE_DEPTH), &went_on));
    lane->finished += went_on;
    *has_moved |= went_on;
    return DM_OK;
}

/* One step of each stage: a chunk that the CPU copies is on its way before the next is begun, and
 * neither direction holds up the other. *has_moved becomes true if any went on. */
static enum dm_status progress(struct lane *lane, bool *has_moved)
{
    TRY(begin_chunk(lane, has_moved));
    TRY(pass_chunk(lane, has_moved));
    return finish_chunk(lane, has_moved);
}

static bool is_through(const struct lane *lane)
{
    return lane->cut == lane->added && lane->finished == lane->begun;
}

/* ---- what a path calls ---- */

enum dm_status lane_open(struct lane *lane, const struct rdma_end *end, void *block,
                         size_t chunk_bytes, const struct lane_stages *stages, void *wire)
{
    const size_t window = (size_t)end->config.window;
    *lane = (struct lane){.stages = stages,
                          .end = end,
                          .wire = wire,
                          .block = block,
                          .chunk_bytes = chunk_bytes,
                          .messages = calloc(window, sizeof *lane->messages)};
    if (!lane->messages)
        return error_no_memory(window * sizeof *lane->messages);
    if (end->config.place != RDMA_DEVICE)
        return DM_OK;
    TRY_CUDA(cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking));
    for (int slot = 0; slot < LANE_DEPTH; slot++)
        TRY_CUDA(cudaEventCreateWithFlags(&lane->copied[slot], cudaEventDisableTiming));
    return DM_OK;
}

void lane_close(struct lane *lane)
{
    if (lane->stream) {
        cudaStreamSynchronize(lane->stream);
        cudaStreamDestroy(lane->stream);
    }
    for (int slot = 0; slot < LANE_DEPTH; slot++)
        if (lane->copied[slot])
            cudaEventDestroy(lane->copied[slot]);
    free(lane->messages);
}

static enum dm_status start(struct lane *lane, size_t bytes)
{
    size_t window = (size_t)lane->end->config.window;
    bool has_moved = true;
    lane->messages[lane->added++ % window] = bytes;
    for (int chunks = 0; chunks < LANE_DEPTH && has_moved; chunks++) {
        has_moved = false;
        TRY(progress(lane, &has_moved));
    }
    return DM_OK;
}

enum dm_status lanes_start_receive(struct rdma_end *end, size_t bytes)
{
    struct lanes *lanes = end->state;
    return start(&lanes->receive, bytes);
}

enum dm_status lanes_start_send(struct rdma_end *end, size_t bytes)
{
    struct lanes *lanes = end->state;
    return start(&lanes->send, bytes);
}

/* The time limit is for silence, not for a long block: it starts again with every step forward. */
static struct patience patience_of(const struct rdma_end *end)
{
    const struct lanes *lanes = end->state;
    return patience_start(&end->contact,
                          is_through(&lanes->receive) ? "room for a block" : "a block");
}

enum dm_status lanes_wait(struct rdma_end *end)
{
    struct lanes *lanes = end->state;
    struct patience patience = patience_of(end);
    for (;;) {
        bool has_moved = false;
        TRY(progress(&lanes->send, &has_moved));
        TRY(progress(&lanes->receive, &has_moved));
        if (is_through(&lanes->send) && is_through(&lanes->receive))
            return DM_OK;
        if (has_moved)
            patience = patience_of(end);
        else
            TRY(patience_pause(&patience));
    }
}

enum dm_status lane_copy(struct lane *lane, int slot, void *to, const void *from)
{
    size_t bytes = lane->chunks[slot].bytes;
    if (!lane->stream) {
        memcpy(to, from, bytes);
        copies_add(COPIER_CPU, bytes);
        return DM_OK;
    }
    if (bytes)
        TRY(copy_async(to, from, bytes, false, lane->stream));
    return status_of_cuda(cudaEventRecord(lane->copied[slot], lane->stream));
}

enum dm_status lane_is_copied(struct lane *lane, int slot, bool *is_copied)
{
    *is_copied = true;
    return lane->stream ? event_is_done(lane->copied[slot], is_copied) : DM_OK;
}

enum dm_status lane_check_size(const struct lane *lane, size_t sent, size_t expected)
{
    const struct contact *contact = &lane->end->contact;
    if (sent == expected)
        return DM_OK;
    return dm_fail(DM_INVALID,
                   "rank %d receives %zu bytes where the other rank sends %zu (path %s): both must "
                   "name the same size",
                   contact->world_rank, expected, sent, rdma_path_name(contact->path));
}
